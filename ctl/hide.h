// What people wrote, left out of what is shown: reports and tickets travel further than the store does.
#pragma once

#include "protocol/value.h"

namespace parley::ctl {

// Replaces every text by "(text)" that is not known to be an id, a time or a word of ours, by its member's
// name: what a later version adds is hidden until it is listed here.
void HideText(protocol::Value* value);

}  // namespace parley::ctl
