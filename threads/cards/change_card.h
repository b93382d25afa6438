// Writes every change of a card: its row, ACTION message, audit record and outside effect, the head's list of
// open cards, and the system message of an outcome. All of it joins the command's one decision, so that no
// part exists without the rest. No other code changes a card.
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "protocol/ops/staff.h"
#include "threads/cards/machine.h"
#include "threads/model/decision.h"
#include "threads/model/message_row.h"

namespace parley::threads {

// A card with the message it belongs to.
struct CardWithMessage {
  CardRow card;
  MessageRow message;
};

// The actor of a step, for the audit record.
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
  std::optional<protocol::Json> data;     // as given, for the back end and for the audit
  std::optional<protocol::Json> payload;  // the new payload
  std::optional<protocol::CardError> error;
  std::optional<MessageId> superseded_by;
  bool withdraws = false;  // ends the card's waiting instead of moving it
};

// AUD#{seq}: an act on a card.
using CardAudit = protocol::AuditEntry;

class CardWriter {
 public:
  CardWriter(Draft* draft, CardPorts ports, protocol::IdSource* ids)
      : draft_(draft), ports_(ports), ids_(ids) {}

  // Fields of the ACTION message that the card does not have.
  struct Cover {
    std::optional<ClientId> client_id = {};
    std::optional<MessageId> reply_to = {};
    // The case that opens the card and will end it; the message then has no author.
    std::optional<std::string> of_case = {};
  };
  // Creates the ACTION message and the card at version 1, with two consecutive seqs. `card` has type,
  // payload, creator, ends and own transitions; Open fills in the rest.
  CardWithMessage Open(protocol::Card card, const Cover& cover, const CardDoer& doer);

  // Takes the step, whose gating effect, if any, has been carried out.
  void Settle(CardWithMessage* card, const CardStep& step);

  // Takes the step or, if it has a gating effect, asks for the effect and keeps the card's state.
  void Take(CardWithMessage* card, const CardStep& step);

  // The card's outside effect failed: the card keeps its state and stores the error.
  void Refuse(CardWithMessage* card, const CardDoer& doer, protocol::CardError error);
  // Clears the waiting of a card that is about to take its step.
  void EndWaiting(CardWithMessage* card);
  // Removes the card's content because staff redact or remove its message. This ends the card, although an
  // outside effect that it waits for may still move it. Call after the message was changed; does nothing to a
  // card without content.
  void Empty(CardRow card, const CardDoer& doer);
  // Moves lapsed cards to EXPIRED.
  void Lapse(std::vector<CardWithMessage> due);

 private:
  void Ask(CardWithMessage* card, const CardStep& step);
  // Writes the row and returns the card with its new seq.
  protocol::Card Changed(CardRow row);
  void Save(CardWithMessage* card);
  // Writes the effect to the outbox under the draft's change `seq`; each change has at most one.
  void Notify(const protocol::Card& card, const CardEffect& effect, const CardStep& step,
              std::string_view from, int64_t seq);
  // Adds a second effect, only if its port is served.
  void NotifyAlso(const protocol::Card& card, const CardEffect& effect, const CardStep& step,
                  std::string_view from, int64_t seq);
  // Adds a second effect if no other open card of the kind concerns the booking.
  void NotifyLast(const protocol::Card& card, const CardEffect& effect, const CardStep& step,
                  std::string_view from, int64_t seq);
  // Writes the audit row alone, without an act of staff.
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
