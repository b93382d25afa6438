// Folds names so that they compare as people read them: "Köln", "KÖLN " and "Ko\u0308ln" are the same. Pure,
// any thread.
#pragma once

#include <string>
#include <string_view>

namespace parley::threads::text {

// Trimmed, NFKC and case folded; equal names have equal results. Invalid UTF-8 becomes U+FFFD.
std::string FoldedName(std::string_view name);

}  // namespace parley::threads::text
