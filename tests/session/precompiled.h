// As app/session/precompiled.h, for the sources of tests.
#pragma once

#include <gtest/gtest.h>

#include "session/precompiled.h"
