// Writing what happens to a card: card row, ACTION message, audit record, outside effect, the head's
// knowledge of open cards, and the system message of an outcome. All of it goes into the command's one
// decision, so that no part exists without the rest. This is the only place that changes a card.
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
  std::optional<protocol::Json> data;     // as given, for the back end and for audit
  std::optional<protocol::Json> payload;  // the new payload
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

  // What its ACTION message says in addition to the card.
  struct Cover {
    std::optional<ClientId> client_id = {};
    std::optional<MessageId> reply_to = {};
    // The case that opens the card, and ends it: then the message has no author.
    std::optional<std::string> of_case = {};
  };
  // Creates the ACTION message and the card at version 1: two consecutive seqs. `card` has type, payload,
  // creator, ends and own transitions; the rest is filled in.
  CardWithMessage Open(protocol::Card card, const Cover& cover, const CardDoer& doer);

  // Takes the step; any outside effect that it needs has been carried out.
  void Settle(CardWithMessage* card, const CardStep& step);

  // Takes the step or, if it needs an outside effect first, asks for the effect and leaves the card in its
  // state.
  void Take(CardWithMessage* card, const CardStep& step);

  // The effect that the card waited for did not happen: the card keeps its state and says why.
  void Refuse(CardWithMessage* card, const CardDoer& doer, protocol::CardError error);
  // Ends the waiting of a card that is about to take its step.
  void EndWaiting(CardWithMessage* card);
  // Takes the card's content away, because staff redact or remove its message: it ends, apart from an outside
  // effect that it waits for. Call after the message was changed; nothing happens to a card without content.
  void Empty(CardRow card, const CardDoer& doer);
  // Moves cards whose time is over to EXPIRED.
  void Lapse(std::vector<CardWithMessage> due);

 private:
  void Ask(CardWithMessage* card, const CardStep& step);
  // The row as it is from now on, with its seq.
  protocol::Card Changed(CardRow row);
  void Save(CardWithMessage* card);
  // Recorded under the number of the draft's change `seq`; each change has at most one such effect.
  void Tell(const protocol::Card& card, const CardEffect& effect, const CardStep& step, std::string_view from,
            int64_t seq);
  // An effect in addition to the first: told if its port is served, without an event for it.
  void TellAlso(const protocol::Card& card, const CardEffect& effect, const CardStep& step,
                std::string_view from, int64_t seq);
  // What holds for a booking while a card of the kind is open ends with the last of them.
  void TellLast(const protocol::Card& card, const CardEffect& effect, const CardStep& step,
                std::string_view from, int64_t seq);
  // Without an act of staff.
  void Note(const CardAudit& audit, int64_t seq);
  CardAudit AuditOf(const protocol::Card& card, const char* what, const CardStep& step, std::string_view from,
                    std::string_view to) const;
  void Record(const protocol::Card& card, const char* what, const CardStep& step, std::string_view from,
              std::string_view to, std::optional<std::string> effect_id);
  void KeepOpenList(const CardRow& card);
  void Announce(const CardRow& card, const std::string& text);

  Draft* draft_;
  const CardPorts ports_;
  protocol::IdSource* ids_;
};

}  // namespace parley::threads
