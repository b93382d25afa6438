// Checks the emoji of a reaction.
#pragma once

#include <string_view>

namespace parley::threads {

// Whether `text` is exactly one emoji as Unicode lists them (RGI_Emoji of the installed ICU): a character,
// one with a skin tone, a flag, a keycap, a family or another joined sequence, each spelled as recommended
// (❤️ with its variation selector). Pure; any thread.
[[nodiscard]] bool IsOneEmoji(std::string_view text);

}  // namespace parley::threads
