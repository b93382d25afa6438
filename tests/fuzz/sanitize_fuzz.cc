// Any bytes: the sanitized text is a subsequence, stays as it is when sanitized again, and holds nothing that
// a Markdown parser would show as raw HTML or follow to a target that may not be there. Previews are bounded.

#include <cstddef>
#include <cstdint>
#include <cstdlib>
#include <iostream>
#include <string>

#include "tests/threads/markdown_check.h"
#include "threads/preview.h"
#include "threads/sanitize.h"

namespace {

void Require(bool holds, const char* what, const std::string& detail) {
  if (holds) return;
  std::cerr << what << ": " << detail << '\n';
  std::abort();
}

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const uint8_t* data, size_t size) {
  using namespace parley::threads;
  const std::string body(reinterpret_cast<const char*>(data), size);
  const std::string once = SanitizeMarkdown(body);
  Require(IsSubsequence(once, body), "not a subsequence", once);
  Require(SanitizeMarkdown(once) == once, "changes when sanitized again", once);
  const std::string complaint = ComplaintAbout(once);
  Require(complaint.empty(), "not clean", complaint);
  Require(Preview(once).size() <= 4 * kPreviewCodePointsMax, "long preview", once);
  return 0;
}
