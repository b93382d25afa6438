// HTML character references as CommonMark §6.2 (0.29: §6.2 "Entity and numeric character references") writes
// them. Pure functions, any thread.
#pragma once

#include <cstddef>
#include <string>
#include <string_view>

namespace parley::threads {

// Length of the reference that starts at text[at], which is '&'; 0 when there is none.
size_t EntityLength(std::string_view text, size_t at);

// The code point of a whole reference ("&#106;"). Names outside a short list give 0: of the more than two
// thousand only these stand for ASCII or are common in chat. Numbers that name no character give U+FFFD.
char32_t DecodeEntity(std::string_view entity);

void AppendUtf8(char32_t code_point, std::string* out);

}  // namespace parley::threads
