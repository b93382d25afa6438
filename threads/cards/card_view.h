// Cards as readers see them: by the clock of the read, whatever the rows say until LapseCards has updated
// them.
#pragma once

#include "threads/cards/machine.h"

namespace parley::threads {

// The card as of `now`: EXPIRED once its time is over, and without what must disappear then.
void ShowAsOf(protocol::Card* card, protocol::Time now);

}  // namespace parley::threads
