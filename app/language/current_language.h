// The language of the screen, and what is drawn in it. Only the thread that draws uses it.
#pragma once

#include <filesystem>
#include <string>
#include <string_view>
#include <vector>

#include "base/error.h"
#include "base/language.h"
#include "language/phrase_table.h"

namespace gemmscope::language {

Language current_language();
// Chinese needs the table (assets/languages/zh.toml), which is read once; where it cannot be read the
// language stays.
Result<void> set_language(Language language, const std::filesystem::path& assets);
void set_table(PhraseTable table);  // for tests
const PhraseTable& current_table();

// The text in the language of the screen; in English, or where it has no translation, the text itself. Stays
// valid until forget_old_translations().
std::string_view translated(std::string_view english);
// The same for what is only measured: the listener does not hear of it.
std::string_view translated_unheard(std::string_view english);
// Call it between frames: forgets the translations once they take more than this.
inline constexpr size_t kMostTranslationBytes = size_t{4} << 20;
void forget_old_translations();
size_t translation_bytes();

// Called with each text that translated() leaves in English, wholly or in part. Null: no listener.
using UntranslatedListener = void (*)(std::string_view english);
void listen_to_untranslated(UntranslatedListener listener);

// Chinese where the environment asks for it (LC_ALL, LC_MESSAGES, LANG begin with zh), else English.
Language language_of_environment();
// Tells the listener of a text that is drawn only when the mouse is there.
void note(std::string_view english);

// Of "en" and "zh"; anything else is English.
Language language_named(std::string_view code);
const char* language_code(Language language);

}  // namespace gemmscope::language
