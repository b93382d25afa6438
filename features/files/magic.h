// Recognises the type of a file by its first bytes. Pure.
#pragma once

#include <cstddef>
#include <string_view>

namespace parley::features {

inline constexpr size_t kMagicBytes = 4096;  // examined at the beginning of a file

// Whether a file that begins with `head` can be of the media type. False for types that this function does
// not know.
bool FitsType(std::string_view mime, std::string_view head);

}  // namespace parley::features
