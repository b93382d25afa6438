// Removes texts by people from output, because reports and tickets are read more widely than the store.
#pragma once

#include "protocol/value.h"

namespace parley::ctl {

// Replaces every text by "(text)", unless its member's name is listed as an id, a time or a word of ours:
// members of later versions are hidden until they are listed here.
void HideText(protocol::Value* value);

}  // namespace parley::ctl
