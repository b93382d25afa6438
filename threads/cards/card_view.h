// Cards as readers see them: by the clock of the read, whatever the rows say until LapseCards has been there.
#pragma once

#include <string>
#include <string_view>

#include "threads/cards/machine.h"

namespace parley::threads {

// The card as of `now`: EXPIRED once its time is over, and without what must disappear then.
void ShowAsOf(protocol::Card* card, protocol::Time now);

// The same for the bytes of an item of kind `kind`; other kinds than cards are returned as they are.
std::string WireAsOf(protocol::EventKind kind, std::string_view wire, protocol::Time now);

}  // namespace parley::threads
