// Prints docs/cards.md from the table of kinds, so that it describes what the server does. `parleyd --cards`
// prints it; a test compares.
#pragma once

#include <string>

namespace parley::threads {

std::string CardsManual();  // Markdown

}  // namespace parley::threads
