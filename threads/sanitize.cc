#include "threads/sanitize.h"

#include <vector>

#include "threads/text_html.h"
#include "threads/text_scan.h"

namespace parley::threads {
namespace {

// Removing a tag can make a tag of what stood around it (`<scr<b>ipt>`), and removing a target can make text
// of what was a title, so a text is read until nothing is left to remove. One reading finds everything but
// what comes into being by its own cuts: what people write needs one round, a tag in a tag two, each level of
// nesting one more. Texts built to need many rounds (`<<<b>b>b>`, a level per three bytes) would cost their
// length squared; after this many they lose all that markup could begin with, which takes one pass and needs
// no reading again.
constexpr int kRoundsMax = 8;

std::string Apply(const std::string& text, const std::vector<Range>& cuts) {
  std::string out;
  out.reserve(text.size());
  size_t from = 0;
  for (const Range& cut : cuts) {
    out.append(text, from, cut.begin - from);
    from = cut.end;
  }
  out.append(text, from);
  return out;
}

}  // namespace

// Sanitizing again changes nothing: a text is returned when a reading finds nothing, as it would again, or
// when it has no opener left, which the shortcut at the top returns as it is.
std::string SanitizeMarkdown(std::string_view body) {
  if (WithoutMarkupOpeners(body).size() == body.size()) return std::string(body);
  std::string text(body);
  for (int round = 0; round < kRoundsMax; round++) {
    const Scan scan = ScanMarkdown(text);
    if (scan.lost) break;
    if (scan.cuts.empty()) return text;
    text = Apply(text, scan.cuts);
  }
  return WithoutMarkupOpeners(text);
}

}  // namespace parley::threads
