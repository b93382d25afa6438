// Values of moderation cases that the levels below moderation use, too.
#pragma once

#include "protocol/items.h"

namespace parley::protocol {

enum class Severity : uint8_t { kLow, kMedium, kHigh, kCritical };
template <>
struct EnumNames<Severity> {
  static constexpr std::string_view kNames[] = {"low", "medium", "high", "critical"};
};

// The thread of a case, as staff see it with the case.
struct CaseContext {
  std::optional<EncodedOf<Thread>> thread;
  EncodedListOf<Message> messages;
  EncodedListOf<Participant> participants;
  static constexpr void Fields(auto& field) {
    using T = CaseContext;
    field("thread", &T::thread, "the thread; null: the case names none");
    field("messages", &T::messages, "the messages around the reported one, or the newest ones; oldest first");
    field("participants", &T::participants, "the first hundred, removed ones included");
  }
};

}  // namespace parley::protocol
