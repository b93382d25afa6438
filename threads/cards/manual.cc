#include "threads/cards/manual.h"

#include <algorithm>

#include "threads/cards/payload.h"
#include "threads/engine/stage.h"
#include "threads/model/card_kinds.h"
#include "threads/model/rows.h"

namespace parley::threads {
namespace {

using Kind = SchemaField::Kind;

std::string Code(std::string_view text) {
  return "`" + std::string(text) + "`";
}

std::string TypeOf(const SchemaField& field) {
  const std::string bounds = std::to_string(field.low) + "…" + std::to_string(field.high);
  switch (field.kind) {
    case Kind::kText:
      return "text, ≤ " + std::to_string(field.high) + " bytes";
    case Kind::kInt:
      return "integer " + bounds;
    case Kind::kCents:
      return "money in cents, ≥ " + std::to_string(field.low);
    case Kind::kBool:
      return "boolean";
    case Kind::kTime:
      return "time";
    case Kind::kMap:
      return "map";
    case Kind::kList:
      return "list of " + bounds + " maps";
    case Kind::kFiles:
      return (field.low > 0 ? std::to_string(field.low) + "…" : "≤ ") + std::to_string(field.high) + " files";
    case Kind::kTexts:
      return "≤ " + std::to_string(field.high) + " texts, ≤ " + std::to_string(field.low) + " bytes each";
    case Kind::kKey:
      return "text, ≤ " + std::to_string(field.high) + " bytes, once in its list";
    case Kind::kUser:
      return "userId";
    case Kind::kMessage:
      return "messageId";
    case Kind::kId:
      return "id";
    case Kind::kWord:
      break;
  }
  std::string out;
  for (const std::string_view word : field.words) out += (out.empty() ? "" : " ") + Code(word);
  return out;
}

void AddFields(const Schema& schema, const std::string& within, std::string* out) {
  for (const SchemaField& field : schema.fields) {
    *out += "| " + Code(within + std::string(field.name)) + " | " + TypeOf(field) + " | " +
            (field.required ? "required" : "") + " | " + std::string(field.doc) + " |\n";
    if (field.of) AddFields(*field.of, within + std::string(field.name) + ".", out);
  }
}

std::string PayloadText(const Schema& schema) {
  std::string out = "| field | type | | what |\n|---|---|---|---|\n";
  AddFields(schema, "", &out);
  if (schema.one_of.empty()) return out + "\n";
  std::string forms;
  for (const auto& form : schema.one_of) {
    std::string names;
    for (const std::string_view name : form) names += (names.empty() ? "" : " and ") + Code(name);
    forms += (forms.empty() ? "" : ", or ") + names;
  }
  return out + "\nExactly one of these forms: " + forms + ".\n\n";
}

// The states as a drawing: every arrow with its intent and its actor. A card that is done when it is opened
// has one state.
std::string Drawing(const CardKind& kind) {
  std::string out = "```mermaid\nstateDiagram-v2\n    [*] --> " + std::string(kind.first) + "\n";
  for (const CardTransition& rule : kind.transitions) {
    out += "    " + std::string(rule.from) + " --> " + std::string(rule.to) + ": " +
           std::string(rule.intent) + " (" + std::string(protocol::NameOf(rule.by)) + ")\n";
  }
  const bool expires = std::any_of(kind.transitions.begin(), kind.transitions.end(),
                                   [](const CardTransition& rule) { return rule.to == kExpired; });
  if (kind.lapses && !expires) out += "    " + std::string(kind.first) + " --> EXPIRED: at its end (clock)\n";
  for (const std::string_view state : kind.finals) out += "    " + std::string(state) + " --> [*]\n";
  return out + "```\n\n";
}

std::string EffectText(const CardEffect& effect) {
  if (effect.port == CardPort::kNone) return "";
  return Code(effect.name) + " of port " + Code(kCardPortNames[static_cast<size_t>(effect.port)]) +
         (effect.gate ? ", first" : ", told");
}

std::string Obstacles(uint8_t unless) {
  std::string out;
  if (unless & kOpenReschedule) out = "a reschedule is open";
  if (unless & kOpenDispute) out += (out.empty() ? "" : " or ") + std::string("a dispute is open");
  return out;
}

std::string EffectsText(const CardEffect& effect, const CardEffect& also) {
  const std::string one = EffectText(effect), other = EffectText(also);
  return other.empty() ? one : one + "; " + other;
}

std::string Remarks(const CardTransition& rule) {
  const std::string obstacles = Obstacles(rule.unless);
  if (!obstacles.empty()) return "not while " + obstacles;
  return rule.revision ? "at most " + Code("maxRevisions") + " times" : "";
}

std::string AppliesText(const CardKind& kind) {
  std::string out =
      "Done as soon as it is opened; in the same atomic write it applies an intent to the card it names:";
  for (const auto& [type, intent] : kind.applies) out += " " + Code(intent) + " to a " + Code(type) + ",";
  out.back() = '.';
  return out + " It takes none of the room for open cards.\n\n";
}

std::string DataText(CardData data) {
  switch (data) {
    case CardData::kNote:
      return Code("note");
    case CardData::kPayload:
      return "the payload anew";
    case CardData::kCounter:
      return "the payload of the counter-proposal";
  }
  return "";
}

std::string TransitionTable(const CardKind& kind) {
  std::string out = "| from | intent | by | to | `data` | outside | |\n|---|---|---|---|---|---|---|\n";
  for (const CardTransition& rule : kind.transitions) {
    out += "| " + Code(rule.from) + " | " + Code(rule.intent) + " | " +
           std::string(protocol::NameOf(rule.by)) + " | " + Code(rule.to) + " | " + DataText(rule.data) +
           " | " + EffectsText(rule.effect, rule.also) + " | " + Remarks(rule) + " |\n";
  }
  return out + "\n";
}

std::string KindText(const CardKind& kind) {
  std::string out = "## " + std::string(kind.type) + "\n\n" + std::string(kind.title) + ", category " +
                    Code(kind.category) + ". Opened by: " + std::string(protocol::NameOf(kind.creator)) + ".";
  if (!kind.alias.empty())
    out += " " + Code("card.create") + " also takes the name " + Code(kind.alias) + ".";
  if (kind.proposal)
    out += " A proposal: at most " + std::to_string(kMaxPendingProposals) + " wait at once for a booking.";
  if (kind.single) out += " One at a time for a booking: another by the other side supersedes it.";
  if (!kind.lapses) out += " Takes no `expiresAt` and no `dueAt`.";
  if (!kind.own) out += " Brings no transitions of its own.";
  if (kind.pinned) out += " Its message is pinned while it is open.";
  if (kind.confidential)
    out +=
        " It, its message and what comes of it go to its creator and to staff only; the others are told to "
        "skip them.";
  if (const std::string why = Obstacles(kind.unless); !why.empty())
    out += " Is not opened while " + why + ".";
  if (const std::string effect = EffectsText(kind.on_open, kind.also_on_open); !effect.empty())
    out += " When opened: " + effect + ".";
  out += "\n\n";
  if (!kind.applies.empty()) out += AppliesText(kind);
  out += Drawing(kind);
  if (kind.applies.empty()) out += TransitionTable(kind);
  return out + PayloadText(*kind.payload);
}

}  // namespace

std::string CardsManual() {
  std::string out =
      "# Action cards\n\n<!-- Printed by `parleyd --cards`; a test compares. Edit threads/cards/ instead. "
      "-->\n\n"
      "A card is a message with a state. `card.create` opens it, `card.act` moves it, `card.updated` tells "
      "every "
      "member. Its version is\n1 and one more with each transition; whoever acts names the version he "
      "saw.\n\n"
      "What is checked, in this order: membership, a repeat under the same `clientId` (answered as before), "
      "permission and the thread's\nstatus, the card's end (`CARD_EXPIRED`), its version "
      "(`VERSION_CONFLICT`), its "
      "state (`ACTION_INVALID_STATE`), who asks (`FORBIDDEN`),\nwhat else is open in the thread, and the "
      "data "
      "(`CARD_INVALID` with `fields`).\n\n"
      "**By whom.** *buyer* and *seller* are the two of the thread, *party* is either, *creator* is who "
      "opened the card, *counterpart* the other\nof the two, *anyone* a member who may write and is not the "
      "creator. *support* is staff with role `support` or `admin`, who may also act\nfor either party unless "
      "they are one, always with a `reason`; a counter-proposal is a party's all the same. *service* is the "
      "tenant's\nback end. `allowed` in replies names exactly the intents that `card.act` would take from "
      "the "
      "caller.\n\n"
      "**Outside.** An effect marked *first* is asked of the tenant's back end, if it serves the port "
      "(option `card_ports`): it appears in\n`outbox.list`, the card stays in its former state with "
      "`awaiting`, and `card.resolve` says how it ended. `ok` takes the transition;\n`failed` takes `fail` "
      "where the kind has it, else the card stays where it is with `error`; `conflict` leaves it where it is "
      "with the\nerror `ACTION_CONFLICT`. Where nobody answers, support (with a `reason`) or a service ends "
      "the waiting by the intent `withdraw`: the card\nstays where it is with the error `WITHDRAWN`, and a "
      "later answer is refused. An effect marked *told* waits for nobody and leaves the\nfeed by "
      "`outbox.ack`. Where the port is not served the transition is taken at once. Port `events` brings "
      "every "
      "other opening and\ntransition into the feed, and `thread.promoted_to_project`. `legId` of an effect "
      "is the thread's; in a thread that is bound to an LBG only,\nit is the one the card's payload names, "
      "which the back end checks. `docId` and `amendmentId` are those that `data` of `card.resolve` "
      "names,\nelse the payload's.\n\n"
      "**Ends.** `expiresAt` holds until somebody answers; `escalate` asks for support and answers nothing, "
      "so "
      "the end stays. `dueAt` holds as long as\nthe card is open. At the earlier of the two that hold the "
      "card is EXPIRED, for readers and rules at once, on record with the next change to\nthe thread's "
      "cards, "
      "or the next sweep; an intent is then `CARD_EXPIRED`. While the card waits for an outside effect "
      "neither "
      "counts. A\ncounter-proposal takes `expiresAt` of its own, else that of the card it answers, and its "
      "`dueAt`.\n\n"
      "**Bookings.** Rules across cards hold for a booking. In a thread of a leg all cards are about that "
      "leg. In any other thread a card is about\nthe `legId`, else the `orderId` of its payload; one that "
      "names "
      "neither is about all the thread is about, so it stands in the way of each booking\nand each stands in "
      "its way. A counter-proposal is about what it answers.\n\n"
      "**Own transitions.** A card may bring `allowedTransitions`; they replace the table's, and make any "
      "type in capitals possible\n(`CUSTOM`, `FS_REQUEST_…`), whose first state is PENDING and whose payload "
      "is any map of at most " +
      std::to_string(kMaxOpenValues) + " values, " + std::to_string(kMaxOpenDepth) +
      " deep. A state that none of\nthem leaves is final. Any intent may lead to a state of the card's own. "
      "A "
      "state of the table is reached only as the table reaches it: from\nthe same state, or from one of the "
      "card's own in place of the first, and then the table's actor and effect hold, whatever the intent is "
      "called.\nAn intent of the table does not lead to another state of the table than its own: nobody "
      "approves their own extra that way, and no `decline`\npays. EXPIRED and SUPERSEDED are neither left "
      "nor "
      "reached. Of a RESCHEDULE, one transition out of its first state is the other side's.\n\n"
      "**Room.** A thread holds " +
      std::to_string(kMaxOpenCards) + " open cards, and " + std::to_string(kReservedOpenCards) +
      " more of safety reports and disputes. Of its outside effects " +
      std::to_string(Limits().max_waiting_effects) +
      " may wait; beyond that\nwhat a member does to cards is `UNAVAILABLE` until the back end has taken "
      "some, safety reports and disputes excepted.\n\n"
      "**Files** are an `s3Key` as text, or a map with `s3Key` or `manifestRef`. Every payload may also "
      "carry";
  for (const SchemaField& field : schemas::kIds.fields) out += " " + Code(field.name) + ",";
  out.back() = ';';
  out +=
      " a payload is at most " + std::to_string(kMaxPayloadBytes / 1024) +
      " KiB.\n\n"
      "**The other vocabulary.** `reschedule`, `extras`, `proofs`, `complete` and `dispute` are the same "
      "things as "
      "RESCHEDULE, REQUEST_EXTRA,\nDELIVERABLE_PROOF, ACCEPTANCE_ACK and DISPUTE_OPEN, take either form of "
      "payload, and are stored under those names. `expense` and `safety`\nare kinds of their own.\n\n"
      "**Safety and disputes.** A safety report goes to its creator and to staff only: for everybody else "
      "its "
      "message, its card and what comes of\nit are not there, and their seqs are told as `skip`. While it is "
      "open, neither party writes to the other (`SAFETY_SOFT_BLOCK`), in any\nthread where both are parties: "
      "not by `message.send` or `thread.broadcast`, nor by `message.edit` with a text, `message.react`, "
      "`message.pin`,\n`thread.update` of subject or city, `card.create`, `card.act` or `tab.put`; nor does "
      "either start a thread with the other. Excepted are cards\nof the types SAFETY and DISPUTE_OPEN, "
      "taking "
      "a text or a reaction back, and whoever is not a party: support, services, other members. An open\n"
      "dispute is named by the "
      "thread's "
      "`disputeMessageId`,\nits message stays pinned, and the payout is held until no dispute of its booking "
      "is open. Either is a "
      "case "
      "as long as it is open, as is a card that support may decide: under\n`staff_access = cases` that is "
      "what lets staff into a thread.\n\n";
  for (const CardKind& kind : CardKinds()) out += KindText(kind);
  out.pop_back();
  return out;
}

}  // namespace parley::threads
