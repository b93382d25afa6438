// JSON that people's programs write and that our library refuses as a whole: escapes of half a surrogate pair
// ("\ud83d") and numbers beyond what a double can hold (1e400). Both are within JSON's grammar (RFC 8259), so
// a request that holds one is answered, with BAD_REQUEST. Pure functions, any thread; linear in the text.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>

namespace parley::protocol {

// The text with each half replaced by U+0000 and its four hex digits, so that two different halves stay two,
// and with each such number replaced by a fraction. nullopt: it contains neither. Anything that is malformed
// stays malformed.
std::optional<std::string> MendJson(std::string_view json);

// The value of a JSON number, by its digits, if it is an integer of at most 2^53-1.
std::optional<int64_t> SafeIntegerOf(std::string_view number);

}  // namespace parley::protocol
