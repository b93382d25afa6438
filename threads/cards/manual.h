// docs/cards.md, printed from the table: what the server does is what is written. `parleyd --cards` prints
// it; a test compares.
#pragma once

#include <string>

namespace parley::threads {

std::string CardsManual();  // Markdown

}  // namespace parley::threads
