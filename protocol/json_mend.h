// Repairs JSON that clients write and our library rejects as a whole: escapes of half a surrogate pair
// ("\ud83d") and numbers that exceed a double (1e400). JSON's grammar (RFC 8259) allows both, so such a
// request gets a reply, with BAD_REQUEST. Pure functions, any thread; linear in the text.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>

namespace parley::protocol {

// Returns the text with each half replaced by U+0000 and its four hex digits, so that two different halves
// stay different, and with each such number replaced by a fraction. Returns nullopt if it contains neither.
// Malformed text stays malformed.
std::optional<std::string> MendJson(std::string_view json);

// Returns the value of a JSON number, by its digits, if it is an integer of at most 2^53-1.
std::optional<int64_t> SafeIntegerOf(std::string_view number);

}  // namespace parley::protocol
