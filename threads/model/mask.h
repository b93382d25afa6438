// What staff do not need to see to judge a case, wherever members can write it: e-mail addresses, phone
// numbers, and codes of doors and gates. It errs on the side of hiding. Time is linear in the text.
//
// Pure functions.
#pragma once

#include <string>
#include <string_view>

#include "protocol/events.h"
#include "protocol/items.h"

namespace parley::threads {

std::string Masked(std::string_view text);
// Each text in it, and numbers that their name calls a code or a phone. Times, and what names something else
// of the store (ids, keys of files), stay.
protocol::Json Masked(const protocol::Json& json);
protocol::Thread Masked(protocol::Thread thread);
protocol::Message Masked(protocol::Message message);
protocol::Card Masked(protocol::Card card);
protocol::Tab Masked(protocol::Tab tab);
// The same of an item's wire bytes. Those of a participant hold nothing of the kind.
std::string MaskedWire(protocol::ChangeKind kind, std::string_view wire);

}  // namespace parley::threads
