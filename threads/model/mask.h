// What staff do not need to see to judge a case, in a text: e-mail addresses, phone numbers, and codes of
// doors and gates. It errs on the side of hiding. Time is linear in the text.
//
// Pure functions.
#pragma once

#include <string>
#include <string_view>

#include "protocol/items.h"

namespace parley::threads {

std::string Masked(std::string_view text);
// A message with its body masked.
protocol::Message Masked(protocol::Message message);

}  // namespace parley::threads
