// Masks texts that staff need not see to judge a case, in everything that members write: e-mail addresses,
// phone numbers, and codes of doors and gates. It prefers to hide too much. Time is linear in the text.
//
// Pure functions.
#pragma once

#include <string>
#include <string_view>

#include "protocol/events.h"
#include "protocol/items.h"

namespace parley::threads {

std::string Masked(std::string_view text);
// Masks each text in it, and numbers whose name marks them as a code or a phone number. Times and references
// (ids, keys of files) stay.
protocol::Json Masked(const protocol::Json& json);
protocol::Thread Masked(protocol::Thread thread);
protocol::Message Masked(protocol::Message message);
protocol::Card Masked(protocol::Card card);
protocol::Tab Masked(protocol::Tab tab);
// The same for an item's wire bytes; a participant's are returned unchanged.
std::string MaskedWire(protocol::ChangeKind kind, std::string_view wire);

}  // namespace parley::threads
