#include "threads/model/message_acts.h"

#include "protocol/base/reason.h"
#include "protocol/writer.h"
#include "threads/model/message_row.h"

namespace parley::threads {
namespace {

using protocol::Error;
using protocol::MessageType;
using protocol::Moderation;
using protocol::Reason;

// A message can be in several of these states at once; the last in this order counts.
enum class State : uint8_t {
  kShown,
  kRestricted,  // only one user and staff see it: a shadowed user's message, a safety report
  kWithheld,    // staff replaced it with a stub and can restore it
  kRedacted,    // staff removed its content for good
  kDeleted,
};

// A row per act, a column per state.
//
// A reply has content of its own, so even a stub can be replied to. Removing is always possible. All members
// see pins, so a restricted message cannot be pinned. Deleting a deleted message repeats the first answer.
constexpr bool kPossible[][5] = {
    {true, true, true, true, true},      // kReply
    {true, true, false, false, false},   // kReact
    {true, true, true, true, true},      // kTakeBack
    {true, false, false, false, false},  // kPin
    {true, true, true, true, true},      // kUnpin
    {true, true, false, false, false},   // kEdit
    {true, true, true, true, true},      // kDelete
    {true, true, true, true, true},      // kReport
    {true, true, true, false, true},     // kRestore
    {true, true, true, false, true},     // kWithhold
    {true, true, true, true, true},      // kRedact
};

State StateOf(const MessageRow& row) {
  if (row.item.deleted_at) return State::kDeleted;
  if (row.item.flags.moderation == Moderation::kRedacted) return State::kRedacted;
  if (row.item.flags.moderation == Moderation::kBlocked) return State::kWithheld;
  return row.hidden.only_for.value ? State::kRestricted : State::kShown;
}

Error WhyNot(State state) {
  switch (state) {
    case State::kRestricted:
      return ErrorFor(Reason::kPinForAllOnly, "only messages that everybody sees can be pinned");
    case State::kWithheld:
      return ErrorFor(Reason::kMessageWithheld, "staff withheld the message");
    case State::kRedacted:
      return ErrorFor(Reason::kMessageRedacted, "staff redacted the message");
    case State::kDeleted:
      return ErrorFor(Reason::kMessageDeleted, "the message was deleted");
    case State::kShown:
      break;
  }
  return ErrorFor(Reason::kMessageKindFixed, "this cannot be done to the message");
}

}  // namespace

protocol::Status RequirePossible(const MessageRow& row, MessageAct act) {
  // A redacted message that is deleted afterwards stays redacted.
  const bool redacted = row.item.flags.moderation == Moderation::kRedacted;
  if (redacted && (act == MessageAct::kRestore || act == MessageAct::kWithhold))
    return ErrorFor(Reason::kRedactedForGood, "a redacted message cannot be restored");
  // A card has no stub that could replace it.
  if (act == MessageAct::kWithhold && row.item.type == MessageType::kAction)
    return ErrorFor(Reason::kCardNotWithheld, "a card is redacted or deleted, not withheld");
  const State state = StateOf(row);
  if (kPossible[static_cast<size_t>(act)][static_cast<size_t>(state)]) return protocol::Ok();
  return WhyNot(state);
}

bool MayAnswer(const MessageRow& replied, const protocol::Omit<UserId>& only_for) {
  if (!RequirePossible(replied, MessageAct::kReply).ok()) return false;
  return !replied.hidden.only_for.value || replied.hidden.only_for.value == only_for.value;
}

protocol::Json EmptyPayload() {
  protocol::Writer w;
  w.BeginMap(0);
  return {w.Take()};
}

}  // namespace parley::threads
