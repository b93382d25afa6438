// The commands of action cards (see commands.h for what a command is). LapseCards is asked for by the clock,
// not by an op: clock_tasks.h posts it.
#pragma once

#include "protocol/ops.h"
#include "threads/cards/change_card.h"
#include "threads/cards/payload.h"
#include "threads/stage.h"

namespace parley::threads {

struct CreateCard {
  using Op = protocol::CardCreate;
  struct Loaded {
    Standing standing;
    std::optional<IdempotencyRow> earlier;
    std::optional<CardRow> shared;  // of a repeat that had opened a location: its card as it is now
    CardPorts ports = 0;
    std::optional<CardWithMessage>
        superseded;                         // the open card of a kind of which a booking has one at a time
    std::optional<CardWithMessage> target;  // of a card that is an intent on another
    std::vector<CardWithMessage> lapsed;
    bool outbox_full = false;
    bool reply_to_exists = true;
  };
  static Result<Loaded> Load(Stage& stage, const Caller& caller, const Op::Args& args);
  static Result<Decision> Decide(const Loaded& loaded, const Caller& caller, const Op::Args& args,
                                 const Limits& limits, Moment moment);
};

// `lapsed` are the thread's cards whose time is over and that nobody has written down yet: that comes first,
// in the same decision, so that rules across cards see only what is really open.
struct CardLoaded {
  Standing standing;
  std::optional<IdempotencyRow> earlier;
  CardPorts ports = 0;
  std::optional<CardWithMessage> card;
  std::vector<CardWithMessage> lapsed;
  bool outbox_full = false;
};

struct ActOnCard {
  using Op = protocol::CardAct;
  using Loaded = CardLoaded;
  static Result<Loaded> Load(Stage& stage, const Caller& caller, const Op::Args& args);
  static Result<Decision> Decide(const Loaded& loaded, const Caller& caller, const Op::Args& args,
                                 const Limits& limits, Moment moment);
};

struct ResolveCard {
  using Op = protocol::CardResolve;
  using Loaded = CardLoaded;
  static Result<Loaded> Load(Stage& stage, const Caller& caller, const Op::Args& args);
  static Result<Decision> Decide(const Loaded& loaded, const Caller& caller, const Op::Args& args,
                                 const Limits& limits, Moment moment);
};

struct AckOutbox {
  using Op = protocol::OutboxAck;
  struct Loaded {
    Standing standing;
    std::vector<int64_t> seqs;  // of the rows that are there and await nothing
  };
  static Result<Loaded> Load(Stage& stage, const Caller& caller, const Op::Args& args);
  static Result<Decision> Decide(const Loaded& loaded, const Caller& caller, const Op::Args& args,
                                 const Limits& limits, Moment moment);
};

// Takes every card of a thread whose time is over to EXPIRED. Changes nothing when there is none (any more).
Result<Decision> LapseCards(Stage& stage, const TenantId& tenant, const ThreadId& thread);

// What card.act and card.resolve read.
Result<CardLoaded> LoadCard(Stage& stage, const Caller& caller, const ThreadId& thread,
                            const MessageId& message, const ClientId& client);
// Whether as many outside effects of the thread wait as may.
Result<bool> IsOutboxFull(Stage& stage, const Caller& caller, const ThreadId& thread);
// UNAVAILABLE for a member while the outbox is full: his back end does not keep up. Staff, services and the
// clock end what is there, and so do not add to it for ever.
protocol::Status RequireRoomInOutbox(bool full, const Standing& standing);
// Card and message, which come and go together.
Result<std::optional<CardWithMessage>> ReadCard(const RowReader& rows, const ThreadId& thread,
                                                const MessageId& message);
// The thread's open cards whose time is over.
Result<std::vector<CardWithMessage>> ReadLapsed(const RowReader& rows, const ThreadRow& head,
                                                protocol::Time now);
// The checks of card.act from "is it there" on; the step to take, or why not.
struct ActRequest {
  std::string intent;
  std::optional<int64_t> version;  // none: whatever it is
  std::optional<protocol::Json> data;
  std::optional<std::string> reason;
};
Result<CardStep> JudgeAct(const Standing& standing, const Caller& caller, const CardWithMessage& card,
                          const ActRequest& request, protocol::Time now);

}  // namespace parley::threads
