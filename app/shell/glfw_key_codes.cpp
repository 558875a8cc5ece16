// session/key_codes.h repeats GLFW's numbers, since the session is built without GLFW. This file checks that
// they agree.
#define GLFW_INCLUDE_NONE
#include <GLFW/glfw3.h>

#include "session/key_codes.h"

namespace gemmscope::session::key {

static_assert(kSpace == GLFW_KEY_SPACE);
static_assert(kMinus == GLFW_KEY_MINUS);
static_assert(kPeriod == GLFW_KEY_PERIOD);
static_assert(kSlash == GLFW_KEY_SLASH);
static_assert(k0 == GLFW_KEY_0);
static_assert(kEqual == GLFW_KEY_EQUAL);
static_assert(kRightBracket == GLFW_KEY_RIGHT_BRACKET);
static_assert(kEscape == GLFW_KEY_ESCAPE);
static_assert(kEnter == GLFW_KEY_ENTER);
static_assert(kTab == GLFW_KEY_TAB);
static_assert(kBackspace == GLFW_KEY_BACKSPACE);
static_assert(kInsert == GLFW_KEY_INSERT);
static_assert(kDelete == GLFW_KEY_DELETE);
static_assert(kRight == GLFW_KEY_RIGHT);
static_assert(kLeft == GLFW_KEY_LEFT);
static_assert(kDown == GLFW_KEY_DOWN);
static_assert(kUp == GLFW_KEY_UP);
static_assert(kPageUp == GLFW_KEY_PAGE_UP);
static_assert(kPageDown == GLFW_KEY_PAGE_DOWN);
static_assert(kHome == GLFW_KEY_HOME);
static_assert(kEnd == GLFW_KEY_END);
static_assert(kPrintScreen == GLFW_KEY_PRINT_SCREEN);
static_assert(kPause == GLFW_KEY_PAUSE);
static_assert(kF1 == GLFW_KEY_F1);
static_assert(kF25 == GLFW_KEY_F25);
static_assert(kKeypad0 == GLFW_KEY_KP_0);
static_assert(kKeypad9 == GLFW_KEY_KP_9);
static_assert(kKeypadDecimal == GLFW_KEY_KP_DECIMAL);
static_assert(kKeypadDivide == GLFW_KEY_KP_DIVIDE);
static_assert(kKeypadSubtract == GLFW_KEY_KP_SUBTRACT);
static_assert(kKeypadAdd == GLFW_KEY_KP_ADD);
static_assert(kKeypadEnter == GLFW_KEY_KP_ENTER);
static_assert(kKeypadEqual == GLFW_KEY_KP_EQUAL);
static_assert(kLeftShift == GLFW_KEY_LEFT_SHIFT);
static_assert(kRightControl == GLFW_KEY_RIGHT_CONTROL);
static_assert(kUnknown == GLFW_KEY_UNKNOWN);
static_assert(kWorld1 == GLFW_KEY_WORLD_1);
static_assert(kCapsLock == GLFW_KEY_CAPS_LOCK);
static_assert(kMenu == GLFW_KEY_MENU);
static_assert(kControlBit == GLFW_MOD_CONTROL);
static_assert(kAltBit == GLFW_MOD_ALT);
static_assert(kShiftBit == GLFW_MOD_SHIFT);
static_assert(kSuperBit == GLFW_MOD_SUPER);
static_assert(kCapsLockBit == GLFW_MOD_CAPS_LOCK);
static_assert(kNumLockBit == GLFW_MOD_NUM_LOCK);

}  // namespace gemmscope::session::key
