// As app/base/precompiled.h, for the sources of tests.
#pragma once

#include <gtest/gtest.h>

#include "base/precompiled.h"
