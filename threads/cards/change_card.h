// Writing what happens to a card: card row, ACTION message, audit record, outside effect, what the head knows
// of open cards, and the system message of an outcome. All of it goes into the one decision of the command,
// so none of it is ever there without the rest. This is the only place that changes a card.
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "protocol/ops/staff.h"
#include "threads/cards/machine.h"
#include "threads/model/decision.h"

namespace parley::threads {

// A card with the message it belongs to.
struct CardWithMessage {
  CardRow card;
  MessageRow message;
};

// Who acts, for the audit record.
struct CardDoer {
  std::optional<UserId> user;
  std::string role;  // member, support …, service, or clock
  std::optional<std::string> reason;
};
CardDoer DoerOf(const Caller& caller, std::optional<std::string> reason = std::nullopt);

struct CardStep {
  std::string intent;
  CardMove move;
  CardDoer doer;
  std::optional<std::string> note;
  std::optional<protocol::Json> data;     // as given, for the outside and for audit
  std::optional<protocol::Json> payload;  // what the payload becomes
  std::optional<protocol::CardError> error;
  std::optional<MessageId> superseded_by;
  bool withdraws = false;  // ends what the card waits for instead of moving it
};

// AUD#{seq}: what was done to a card.
using CardAudit = protocol::AuditEntry;

class CardWriter {
 public:
  CardWriter(Draft* draft, CardPorts ports, protocol::IdSource* ids)
      : draft_(draft), ports_(ports), ids_(ids) {}

  // What its ACTION message says besides the card.
  struct Cover {
    std::optional<ClientId> client_id;
    std::optional<MessageId> reply_to;
  };
  // The ACTION message and the card at version 1: two consecutive seqs. `card` has type, payload, creator,
  // ends and own transitions; the rest is filled in.
  CardWithMessage Open(protocol::Card card, const Cover& cover, const CardDoer& doer);

  // Takes the step; whatever it needs of the outside has been done.
  void Settle(CardWithMessage* card, const CardStep& step);

  // Takes the step, or, where it needs the outside first, asks for it and leaves the card in its state.
  void Take(CardWithMessage* card, const CardStep& step);

  // What the card waited for did not happen: it stays where it is and says why.
  void Refuse(CardWithMessage* card, const CardDoer& doer, protocol::CardError error);
  // Ends the waiting of a card that is about to take its step.
  void EndWaiting(CardWithMessage* card);
  // Takes the cards, whose time is over, to EXPIRED.
  void Lapse(std::vector<CardWithMessage> due);

 private:
  void Ask(CardWithMessage* card, const CardStep& step);
  // The row as it is from now on, with its seq.
  protocol::Card Changed(CardRow row);
  void Save(CardWithMessage* card);
  // Under the number of the draft's change `seq`, of which each takes at most one effect.
  void Tell(const CardWithMessage& card, const CardEffect& effect, const CardStep& step,
            std::string_view from, int64_t seq);
  // An effect besides the first: told where its port is served, and no event of its own.
  void TellAlso(const CardWithMessage& card, const CardEffect& effect, const CardStep& step,
                std::string_view from, int64_t seq);
  void Record(const protocol::Card& card, const char* what, const CardStep& step, std::string_view from,
              std::string_view to, std::optional<std::string> effect_id);
  void KeepOpenList(const CardRow& card);
  void Announce(const CardRow& card, const std::string& text);

  Draft* draft_;
  const CardPorts ports_;
  protocol::IdSource* ids_;
};

}  // namespace parley::threads
