// One reading of a Markdown text: which bytes have to go so that it holds no raw HTML and no target that may
// not stay. The only place besides preview.cc that knows the Markdown parser (md4c).
#pragma once

#include <cstddef>
#include <string>
#include <vector>

#include "threads/text_range.h"

namespace parley::threads {

struct Scan {
  std::vector<Range> cuts;  // sorted, disjoint
  // Something has to go but its bytes were not found, or the parser gave up. The text is not clean whatever
  // `cuts` says.
  bool lost = false;
};

// Cost: one parse and a few passes over `text`, near-linear but for the parser's own worst cases (links begun
// and never ended: some milliseconds for 8 KiB). A std::string because the parser reads the byte behind the
// text, which must be there.
Scan ScanMarkdown(const std::string& text);

}  // namespace parley::threads
