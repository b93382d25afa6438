// The ops message.react and message.pin. A mark leaves the message's place and text and the unread numbers
// unchanged.
#include "threads/messages/mark_message.h"

#include <algorithm>

#include "protocol/base/reason.h"
#include "threads/messages/emoji.h"
#include "threads/model/card_kinds.h"
#include "threads/model/message_acts.h"
#include "threads/model/open_cards.h"
#include "threads/model/replies.h"

namespace parley::threads {
namespace {

using protocol::Message;

Result<MarkLoaded> LoadMarked(Transaction& tx, const Caller& caller, const ThreadId& thread,
                              const MessageId& id) {
  PARLEY_TRY(standing, tx.StandingOf(caller, thread));
  PARLEY_TRY(message, tx.Rows(caller.tenant).Message(thread, id));
  if (!message || !MaySee(caller, message->hidden.only_for))
    return ErrorFor(protocol::Reason::kNoMessage, "no such message in this thread");
  return MarkLoaded{std::move(standing), std::move(*message)};
}

// Members may always remove their own mark, whatever the state of the thread, the message or the member.
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

// A mark of a shadowed user is answered as if it were made, but not stored.
bool IsUnseen(const MarkLoaded& loaded) {
  return loaded.standing.barriers.shadowed() && !loaded.message.hidden.only_for.value;
}

std::string ReactReply(const Message& message) {
  protocol::MessageReact::Reply reply;
  reply.reactions = message.reactions;
  return protocol::Encode(reply);
}

protocol::Reaction* FindReaction(const protocol::Text<64>& emoji, Message* message) {
  auto& reactions = message->reactions.items;
  const auto at =
      std::find_if(reactions.begin(), reactions.end(), [&](const auto& one) { return one.emoji == emoji; });
  return at == reactions.end() ? nullptr : &*at;
}

int64_t CountOf(const protocol::Reaction& one) {
  return one.count.value.value_or(static_cast<int64_t>(one.user_ids.items.size()));
}

KeyText KeyOf(const protocol::Text<64>& emoji) {
  return KeyText::UpToNul(emoji.value);
}

// Adds or removes one user's reaction, which is in the message's list or in a row.
class OneReaction {
 public:
  OneReaction(const ReactLoaded& loaded, const Caller& caller, const protocol::MessageReact::Args& args)
      : loaded_(loaded),
        user_(*caller.user),
        emoji_(args.emoji),
        id_(args.message_id),
        message_(loaded.mark.message.item) {}

  protocol::Status Add(size_t max_listed) {
    if (loaded_.unlisted) return protocol::Ok();
    protocol::Reaction* one = FindReaction(emoji_, &message_);
    auto& all = message_.reactions.items;
    if (!one && all.size() == decltype(message_.reactions)::kMax)
      return ErrorFor(protocol::Reason::kTooManyReactions,
                      "the message has reached its limit of different reactions");
    if (!one) one = &all.emplace_back(protocol::Reaction{emoji_, {}, {}});
    auto& users = one->user_ids.items;
    if (std::find(users.begin(), users.end(), user_) != users.end()) return protocol::Ok();
    one->count.value = CountOf(*one) + 1;
    if (users.size() < max_listed) {
      users.push_back(user_);
    } else {
      added_ = user_;
    }
    return protocol::Ok();
  }

  void Take() {
    protocol::Reaction* one = FindReaction(emoji_, &message_);
    if (!one) return;
    const int64_t before = CountOf(*one);
    if (loaded_.unlisted) {
      erased_ = user_;
    } else if (std::erase(one->user_ids.items, user_) == 0) {
      return;
    } else if (loaded_.waiting) {
      one->user_ids.items.push_back(*loaded_.waiting);
      erased_ = loaded_.waiting;
    }
    one->count.value = before - 1;
    std::erase_if(message_.reactions.items, [](const auto& other) { return CountOf(other) == 0; });
  }

  bool changes() const { return Wire(message_) != Wire(loaded_.mark.message.item); }
  const Message& message() const { return message_; }
  Message Write(Draft* draft) const {
    if (added_) draft->Write(ReactionKey(id_, KeyOf(emoji_), *added_), {});
    if (erased_) draft->Erase(ReactionKey(id_, KeyOf(emoji_), *erased_));
    MessageRow row = loaded_.mark.message;
    row.item = message_;
    return draft->MessageChanged(std::move(row));
  }

 private:
  const ReactLoaded& loaded_;
  const UserId& user_;
  const protocol::Text<64>& emoji_;
  const MessageId& id_;
  Message message_;
  std::optional<UserId> added_, erased_;  // the users whose rows are written or removed
};

Result<std::optional<UserId>> FirstUnlisted(const RowReader& rows, const ThreadId& thread,
                                            const protocol::MessageReact::Args& args) {
  std::optional<UserId> out;
  const auto status =
      rows.raw().Scan(ThreadPartition(rows.tenant(), thread), ReactionsOf(args.message_id, KeyOf(args.emoji)),
                      storage::Direction::kForward, 1, [&](std::string_view sort, storage::RowView) {
                        MessageId message;
                        KeyText emoji;
                        UserId user;
                        if (ParseReactionKey(sort, &message, &emoji, &user)) out = user;
                        return false;
                      });
  if (!status.ok()) return FromStorage(status);
  return out;
}

// Whether it is the message of a card that stays pinned while it is open.
bool IsHeldUp(const ThreadRow& head, const MessageId& message) {
  const auto& open = OpenCardsOf(head);
  return std::any_of(open.begin(), open.end(), [&](const OpenCard& card) {
    const CardKind* kind = FindKind(card.type.value);
    return card.message_id == message && kind && kind->pinned;
  });
}

}  // namespace

Result<ReactLoaded> ReactToMessage::Load(Transaction& tx, const Caller& caller, const Op::Args& args) {
  const bool sound = IsOneEmoji(args.emoji.value);
  const Error refusal = Error::BadField("emoji", "is not one emoji");
  if (!sound && args.on) return refusal;
  Result<MarkLoaded> mark = LoadMarked(tx, caller, args.thread_id, args.message_id);
  if (!mark.ok()) return sound ? std::move(mark.error()) : refusal;
  ReactLoaded loaded;
  loaded.mark = std::move(*mark);
  const protocol::Reaction* one = FindReaction(args.emoji, &loaded.mark.message.item);
  // A reaction that an older version accepted can still be removed.
  if (!sound && !one) return refusal;
  const bool all_listed = !one || CountOf(*one) == static_cast<int64_t>(one->user_ids.items.size());
  if (all_listed || !caller.user) return loaded;
  const RowReader rows = tx.Rows(caller.tenant);
  PARLEY_TRY(unlisted,
             rows.Exists(args.thread_id, ReactionKey(args.message_id, KeyOf(args.emoji), *caller.user)));
  loaded.unlisted = unlisted;
  PARLEY_TRY(waiting, FirstUnlisted(rows, args.thread_id, args));
  loaded.waiting = std::move(waiting);
  return loaded;
}

Result<Decision> ReactToMessage::Decide(const ReactLoaded& loaded, const Caller& caller, const Op::Args& args,
                                        const SizeLimits& limits, Moment moment) {
  PARLEY_CHECK_OK(args.on ? MayMark(loaded.mark, caller, MessageAct::kReact) : MayTakeBack(loaded.mark));
  OneReaction reaction(loaded, caller, args);
  if (args.on) {
    PARLEY_CHECK_OK(reaction.Add(limits.max_listed_reactors));
  } else {
    reaction.Take();
  }
  const bool unseen = args.on && IsUnseen(loaded.mark);
  if (!reaction.changes() || unseen) return AnswerOnly(ReactReply(reaction.message()));
  Draft draft(loaded.mark.standing.head, moment.now);
  const Message message = reaction.Write(&draft);
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

Result<MarkLoaded> PinMessage::Load(Transaction& tx, const Caller& caller, const Op::Args& args) {
  return LoadMarked(tx, caller, args.thread_id, args.message_id);
}

Result<Decision> PinMessage::Decide(const MarkLoaded& loaded, const Caller& caller, const Op::Args& args,
                                    const SizeLimits&, Moment moment) {
  PARLEY_CHECK_OK(MayMark(loaded, caller, args.pinned ? MessageAct::kPin : MessageAct::kUnpin));
  if (args.pinned == loaded.message.item.pin.value.has_value())
    return AnswerOnly(MessageReplyOf(loaded.message.item));
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
  if (args.pinned && IsUnseen(loaded)) return AnswerOnly(MessageReplyOf(row.item));
  const Message message = draft.MessageChanged(std::move(row));
  return draft.Finish(MessageReplyOf(message));
}

}  // namespace parley::threads
