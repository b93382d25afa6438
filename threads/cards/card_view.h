// Shows cards as of the time of the read, even if LapseCards has not yet updated their rows.
#pragma once

#include "threads/cards/machine.h"

namespace parley::threads {

// Makes the card EXPIRED if it has lapsed, removes content that disappears then, and sets whether it is open.
void ShowAsOf(protocol::Card* card, protocol::Time now);

}  // namespace parley::threads
