// Names compared as people read them: "Köln", "KÖLN " and "Ko\u0308ln" are the same. Pure, any thread.
#pragma once

#include <string>
#include <string_view>

namespace parley::threads::text {

// Trimmed, NFKC and case folded. Two names are the same if this is. Invalid UTF-8 becomes U+FFFD.
std::string FoldedName(std::string_view name);

}  // namespace parley::threads::text
