// message.react and message.pin: marks that members set on a message. The message keeps its place and its
// text, and unread numbers do not change.
#include "threads/messages/mark_message.h"

#include <algorithm>

#include "protocol/base/reason.h"
#include "threads/messages/emoji.h"
#include "threads/model/card_kinds.h"
#include "threads/model/message_acts.h"
#include "threads/model/open_cards.h"

namespace parley::threads {
namespace {

using protocol::Message;

Result<MarkLoaded> LoadMarked(Stage& stage, const Caller& caller, const ThreadId& thread,
                              const MessageId& id) {
  PARLEY_TRY(standing, stage.StandingOf(caller, thread));
  PARLEY_TRY(message, stage.Rows(caller.tenant).Message(thread, id));
  if (!message || !MaySee(caller, message->hidden.only_for))
    return ErrorFor(protocol::Reason::kNoMessage, "no such message in this thread");
  return MarkLoaded{std::move(standing), std::move(*message)};
}

// Taking back one's own mark is always possible, whatever became of the thread, the message or the member.
protocol::Status MayTakeBack(const MarkLoaded& loaded) {
  PARLEY_CHECK_OK(RequireParticipant(loaded.standing));
  PARLEY_CHECK_OK(RequireSwitchedOn(loaded.standing.barriers.messaging));
  return RequirePossible(loaded.message, MessageAct::kTakeBack);
}

protocol::Status MayMark(const MarkLoaded& loaded, const Caller& caller, MessageAct act) {
  PARLEY_CHECK_OK(RequirePermission(loaded.standing, protocol::Permission::kWrite));
  PARLEY_CHECK_OK(RequireMayWrite(loaded.standing, caller));
  return RequirePossible(loaded.message, act);
}

// A mark of a shadowed user is answered as if it were made, and nobody sees it.
bool IsUnseen(const MarkLoaded& loaded) {
  return loaded.standing.barriers.shadowed() && !loaded.message.hidden.only_for.value;
}

std::string ReactReply(const Message& message) {
  protocol::MessageReact::Reply reply;
  reply.reactions = message.reactions;
  return protocol::Encode(reply);
}

std::string PinReply(const Message& message) {
  protocol::MessageReply reply;
  reply.message.msgpack = Wire(message);
  return protocol::Encode(reply);
}

bool HasReaction(const Message& message, const protocol::Text<64>& emoji) {
  const auto& reactions = message.reactions.items;
  return std::any_of(reactions.begin(), reactions.end(), [&](const auto& one) { return one.emoji == emoji; });
}

// Adds the user under the emoji; says why it cannot.
protocol::Status AddReaction(const protocol::Text<64>& emoji, const UserId& user, Message* message) {
  auto& reactions = message->reactions.items;
  auto at =
      std::find_if(reactions.begin(), reactions.end(), [&](const auto& one) { return one.emoji == emoji; });
  if (at == reactions.end()) {
    if (reactions.size() == decltype(message->reactions)::kMax)
      return ErrorFor(protocol::Reason::kTooManyReactions,
                      "the message has reached its limit of different reactions");
    at = reactions.insert(at, protocol::Reaction{emoji, {}});
  }
  auto& users = at->user_ids.items;
  if (std::find(users.begin(), users.end(), user) != users.end()) return protocol::Ok();
  if (users.size() == decltype(at->user_ids)::kMax)
    return ErrorFor(protocol::Reason::kTooManyReactors, "this reaction has reached its limit of people");
  users.push_back(user);
  return protocol::Ok();
}

void TakeReaction(const protocol::Text<64>& emoji, const UserId& user, Message* message) {
  auto& reactions = message->reactions.items;
  for (protocol::Reaction& one : reactions) {
    if (one.emoji == emoji) std::erase(one.user_ids.items, user);
  }
  std::erase_if(reactions, [](const protocol::Reaction& one) { return one.user_ids.items.empty(); });
}

// The message of a card that is pinned while it is open.
bool IsHeldUp(const ThreadRow& head, const MessageId& message) {
  const auto& open = OpenCardsOf(head);
  return std::any_of(open.begin(), open.end(), [&](const OpenCard& card) {
    const CardKind* kind = FindKind(card.type.value);
    return card.message_id == message && kind && kind->pinned;
  });
}

}  // namespace

Result<MarkLoaded> ReactToMessage::Load(Stage& stage, const Caller& caller, const Op::Args& args) {
  const bool sound = IsOneEmoji(args.emoji.value);
  const Error refusal = Error::BadField("emoji", "is not one emoji");
  if (!sound && args.on) return refusal;
  Result<MarkLoaded> loaded = LoadMarked(stage, caller, args.thread_id, args.message_id);
  // A reaction that an older program accepted can still be removed.
  if (!sound && !(loaded.ok() && HasReaction(loaded->message.item, args.emoji))) return refusal;
  return loaded;
}

Result<Decision> ReactToMessage::Decide(const MarkLoaded& loaded, const Caller& caller, const Op::Args& args,
                                        const Limits&, Moment moment) {
  PARLEY_CHECK_OK(args.on ? MayMark(loaded, caller, MessageAct::kReact) : MayTakeBack(loaded));
  MessageRow row = loaded.message;
  if (args.on) {
    PARLEY_CHECK_OK(AddReaction(args.emoji, *caller.user, &row.item));
  } else {
    TakeReaction(args.emoji, *caller.user, &row.item);
  }
  if (Wire(row.item) == Wire(loaded.message.item)) return AnswerOnly(ReactReply(row.item));
  if (args.on && IsUnseen(loaded)) return AnswerOnly(ReactReply(row.item));
  Draft draft(loaded.standing.head, moment.now);
  const Message message = draft.MessageChanged(std::move(row));
  return draft.Finish(ReactReply(message));
}

bool AddPin(const MessageId& message, size_t most, protocol::Thread* thread) {
  if (thread->pins && thread->pins->items.size() >= most) return false;
  if (!thread->pins) thread->pins.emplace();
  thread->pins->items.push_back(message);
  return true;
}

void RemovePin(const MessageId& message, protocol::Thread* thread) {
  if (!thread->pins) return;
  std::erase(thread->pins->items, message);
  if (thread->pins->items.empty()) thread->pins.reset();
}

Result<MarkLoaded> PinMessage::Load(Stage& stage, const Caller& caller, const Op::Args& args) {
  return LoadMarked(stage, caller, args.thread_id, args.message_id);
}

Result<Decision> PinMessage::Decide(const MarkLoaded& loaded, const Caller& caller, const Op::Args& args,
                                    const Limits&, Moment moment) {
  PARLEY_CHECK_OK(MayMark(loaded, caller, args.pinned ? MessageAct::kPin : MessageAct::kUnpin));
  if (args.pinned == loaded.message.item.pin.value.has_value())
    return AnswerOnly(PinReply(loaded.message.item));
  Draft draft(loaded.standing.head, moment.now);
  protocol::Thread& thread = draft.head().item;
  MessageRow row = loaded.message;
  if (args.pinned) {
    if (!AddPin(args.message_id, protocol::kMaxPins, &thread))
      return ErrorFor(protocol::Reason::kTooManyPins, "the thread has reached its limit of pins");
    row.item.pin.value = protocol::PinMark{*caller.user, moment.now};
  } else {
    if (IsHeldUp(loaded.standing.head, args.message_id))
      return ErrorFor(protocol::Reason::kDisputeStaysPinned, "an open dispute stays pinned");
    RemovePin(args.message_id, &thread);
    row.item.pin.value.reset();
  }
  if (args.pinned && IsUnseen(loaded)) return AnswerOnly(PinReply(row.item));
  const Message message = draft.MessageChanged(std::move(row));
  return draft.Finish(PinReply(message));
}

}  // namespace parley::threads
