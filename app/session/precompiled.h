// As base/precompiled.h, for the rooms whose sources nearly all see the whole state of the program: session,
// views and shell.
#pragma once

#include "base/precompiled.h"
#include "session/app_commands.h"
#include "session/workspace.h"
