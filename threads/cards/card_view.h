// Cards as readers see them: by the clock of the read, whatever the rows say until LapseCards has been there.
#pragma once

#include "threads/cards/machine.h"

namespace parley::threads {

// The card as of `now`: EXPIRED once its time is over, and without what must disappear then; with whether it
// is open.
void ShowAsOf(protocol::Card* card, protocol::Time now);

}  // namespace parley::threads
