#include "threads/engine/charge.h"

namespace parley::threads {

Charge ForSend(const Caller& author, const ThreadRow& head, std::string_view body) {
  Charge charge{Charge::Kind::kSend, author, {}};
  if (head.item.last_msg_no == 0 && head.hidden.creator == author.user) charge.text = body;
  if (head.item.participant_count != 2) return charge;
  for (const protocol::UserId& member : head.item.participants.items) {
    if (member != author.user) charge.peer = member;
  }
  return charge;
}

}  // namespace parley::threads
