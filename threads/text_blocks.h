// Which lines of a text are code blocks, read line by line from the specification (CommonMark 0.31 §4 and §5,
// in the manner of its appendix on parsing). The Markdown parser in use (md4c 0.4.8) knows code blocks too,
// but takes text for code in places, such as a fence far indented below a paragraph or one that leaves a list
// item. What is code keeps its tags, so only what both call code is. HTML blocks are not known here: a
// sanitized text has none. Pure function, any thread.
#pragma once

#include <string_view>
#include <vector>

#include "threads/text_range.h"

namespace parley::threads {

struct Blocks {
  // The lines of fenced code with its fences, and of indented code, each without the markers and indentation
  // of its containers; sorted.
  std::vector<Range> code;
  // Blanks that mean nothing to the specification and something to parsers: on a line behind a list marker
  // that stands alone in a paragraph, behind a closing fence (tabs), and on the empty line below an empty
  // list item.
  std::vector<Range> confusing_blanks;
};

// Cost: one pass, times the containers that are open.
Blocks FindBlocks(std::string_view text);

}  // namespace parley::threads
