// Searches one text in another, in time linear in both together for any input: neither std::string::find,
// nor glibc's memmem for short needles, nor std::boyer_moore_searcher guarantees that. Internal to this
// folder.
#pragma once

#include <cstddef>
#include <string_view>

namespace parley::storage {

// Adds the number of byte comparisons to `compared`: at most kComparedPerByte for each byte of `whole` and of
// `part`.
inline constexpr size_t kComparedPerByte = 6;
bool ContainsBytes(std::string_view whole, std::string_view part, size_t* compared = nullptr);

}  // namespace parley::storage
