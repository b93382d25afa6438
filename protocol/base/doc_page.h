// A page of documentation that is printed from the source: its path below docs/, and its text.
#pragma once

#include <string>

namespace parley::protocol {

struct DocPage {
  std::string path, text;
};

}  // namespace parley::protocol
