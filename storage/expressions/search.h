// Whether one text lies within another, in time linear in both together, whatever they are: neither
// std::string::find, nor glibc's memmem of short needles, nor std::boyer_moore_searcher promises that.
// Internal to this folder.
#pragma once

#include <cstddef>
#include <string_view>

namespace parley::storage {

// `compared`: grows by the comparisons of bytes that it took; at most kComparedPerByte for each of `whole`
// and `part`.
inline constexpr size_t kComparedPerByte = 6;
bool ContainsBytes(std::string_view whole, std::string_view part, size_t* compared = nullptr);

}  // namespace parley::storage
