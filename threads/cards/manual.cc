#include "threads/cards/manual.h"

#include <algorithm>

#include "threads/cards/payload.h"
#include "threads/engine/transaction.h"
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
    case Kind::kFile:
      return "file, or text, ≤ 1024 bytes";
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
    case Kind::kUpload:
      return "attachmentId";
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

std::string SchemaText(const Schema& schema) {
  std::string out = "| field | type | | meaning |\n|---|---|---|---|\n";
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

// Draws the states and every transition with its intent and its actor.
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
         (effect.gate ? ", first" : ", notified");
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
      "Done as soon as it is opened; in the same atomic write it applies an intent to the card that it "
      "names:";
  for (const auto& [type, intent] : kind.applies) out += " " + Code(intent) + " to a " + Code(type) + ",";
  out.back() = '.';
  return out + " It does not count towards the limit of open cards.\n\n";
}

std::string DataText(CardData data) {
  switch (data) {
    case CardData::kNote:
      return Code("note");
    case CardData::kPayload:
      return "a new payload";
    case CardData::kCounter:
      return "the payload of the counter-proposal";
  }
  return "";
}

std::string TransitionTable(const CardKind& kind) {
  std::string out =
      "| from | intent | by | to | `data` | outside effect | |\n|---|---|---|---|---|---|---|\n";
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
    out += " A proposal: at most " + std::to_string(kMaxPendingProposals) +
           " may be pending at once for a booking.";
  if (kind.single) out += " One at a time for a booking: another one by the other side supersedes it.";
  if (!kind.lapses) out += " Takes no `expiresAt` and no `dueAt`.";
  if (!kind.own) out += " May not bring its own transitions.";
  if (kind.pinned) out += " Its message is pinned while it is open.";
  if (kind.confidential)
    out +=
        " It, its message and everything that follows from it go to its creator and to staff only; the "
        "others receive `skip`.";
  if (const std::string why = Obstacles(kind.unless); !why.empty())
    out += " Cannot be opened while " + why + ".";
  if (const std::string effect = EffectsText(kind.on_open, kind.also_on_open); !effect.empty())
    out += " When opened: " + effect + ".";
  out += "\n\n";
  if (!kind.applies.empty()) out += AppliesText(kind);
  out += Drawing(kind);
  if (kind.applies.empty()) out += TransitionTable(kind);
  return out + SchemaText(*kind.payload);
}

}  // namespace

std::string CardsManual() {
  std::string out =
      "# Action cards\n\n<!-- Printed by `parleyd --cards`; a test compares. Edit threads/cards/ instead. "
      "-->\n\n"
      "A card is a message with a state. `card.create` opens it, `card.act` moves it, and `card.updated` "
      "shows every member the result. Its version is 1 and\n"
      "rises by one with each transition; the caller names the version that they saw.\n\n"
      "These are checked, in this order: membership, a repeat under the same `clientId` (answered as "
      "before), permission and the thread's status,\n"
      "the card's end (`CARD_EXPIRED`), its version (`VERSION_CONFLICT`), its state "
      "(`ACTION_INVALID_STATE`), who is asking (`FORBIDDEN`), what\n"
      "else is open in the thread, and the data (`CARD_INVALID` with `fields`).\n\n"
      "**By whom.** *buyer* and *seller* are the two parties of the thread, *party* is either of them, "
      "*creator* is the user who opened the card,\n"
      "*counterpart* is the other party, and *anyone* is a member who may write and is not the creator. "
      "*support* is staff with role `support` or\n"
      "`admin`, who may also act for either party unless they are one, always with a `reason`; only a "
      "party makes a counter-proposal, though.\n"
      "*service* is the tenant's back end. `allowed` in replies names exactly the intents that "
      "`card.act` would accept from the caller.\n\n"
      "**Outside effects.** An effect marked *first* is asked of the tenant's back end, if it serves the "
      "port (option `card_ports`): it appears in\n"
      "`outbox.list`, the card stays in its former state with `awaiting`, and `card.resolve` reports the "
      "outcome. `ok` takes the transition;\n"
      "`failed` takes `fail` if the kind has it, otherwise the card stays where it is with `error`; "
      "`conflict` leaves it where it is with the error\n"
      "`ACTION_CONFLICT`. If no answer comes, support (with a `reason`) or a service ends the waiting "
      "with the intent `withdraw`: the card stays\n"
      "where it is with the error `WITHDRAWN`, and a later answer is refused. The card does not wait for an "
      "effect marked *notified*, which leaves the\n"
      "feed by `outbox.ack`. If the port is not served, the transition is taken at once. Port `events` "
      "brings "
      "every other opening and transition into the\n"
      "feed, and `thread.promoted_to_project`. The `legId` of an effect is the thread's; in a thread "
      "that is bound to an LBG only, it is the one\n"
      "that the card's payload names, which the back end checks. `docId` and `amendmentId` are those "
      "named by `data` of `card.resolve`, or else by\n"
      "the payload.\n\n"
      "**Ends.** `expiresAt` applies until somebody answers; `escalate` asks for support and is not an "
      "answer, so the end stays. `dueAt` applies\n"
      "while the card is open. At the earlier of those that apply the card is EXPIRED: at once for "
      "readers and rules, and on record with the next\n"
      "change to the thread's cards or the next sweep. An intent is then `CARD_EXPIRED`. While the card "
      "waits for an outside effect, neither\n"
      "applies. A counter-proposal takes its own `expiresAt` if it has one, otherwise that of the card "
      "it answers, and that card's `dueAt`.\n\n"
      "**Bookings.** Rules across cards apply to one booking. In a thread of one leg all cards are about "
      "that leg. In any other thread a card is\n"
      "about the `legId` of its payload, or else its `orderId`; a card that names neither is about "
      "everything in the thread, so it blocks every\n"
      "booking and every booking blocks it. A counter-proposal is about the same booking as the card it "
      "answers.\n\n"
      "**Own transitions.** A card may bring `allowedTransitions`; they replace the table's, and make "
      "any type in capitals possible (`CUSTOM`,\n"
      "`FS_REQUEST_…`), whose first state is PENDING and whose payload is any map of at most " +
      std::to_string(kMaxOpenValues) + " values, " + std::to_string(kMaxOpenDepth) +
      " deep. A state that none of them leaves\n"
      "is final. Any intent may lead to one of the card's own states. A state of the table is reached "
      "only as the table reaches it: from the same\n"
      "state, or from one of the card's own in place of the first, and then the table's actor and effect "
      "apply, whatever the intent is called. An\n"
      "intent of the table does not lead to a state of the table other than its own: nobody can approve "
      "their own extra that way, and no `decline`\n"
      "pays. EXPIRED and SUPERSEDED are neither left nor reached. In a RESCHEDULE, at least one "
      "transition out of its first state belongs to the\n"
      "other side.\n\n"
      "**Room.** A thread holds " +
      std::to_string(kMaxOpenCards) + " open cards, and " + std::to_string(kReservedOpenCards) +
      " more that are safety reports and disputes. " + std::to_string(SizeLimits().max_waiting_effects) +
      " of its outside effects may wait; beyond\n"
      "that, what a member does to cards is `UNAVAILABLE` until the back end has taken some, except for "
      "safety reports and disputes.\n\n"
      "**Files** are `{attachmentId}`, an upload of the card's author in this thread, or `{manifestRef}`, an "
      "https URL. The card shows an upload\n"
      "with its present state, in `attachment` beside the id. Only services set an `s3Key`, as text or as "
      "`{s3Key}`. Every payload may also carry";
  for (const SchemaField& field : schemas::kIds.fields) out += " " + Code(field.name) + ",";
  out.back() = ';';
  out += " a payload is at most " + std::to_string(kMaxPayloadBytes / 1024) +
         " KiB.\n\n"
         "**The other vocabulary.** `reschedule`, `extras`, `proofs`, `complete` and `dispute` are the same "
         "as RESCHEDULE, REQUEST_EXTRA,\n"
         "DELIVERABLE_PROOF, ACCEPTANCE_ACK and DISPUTE_OPEN, take either form of payload, and are stored "
         "under those names. `expense` and `safety`\n"
         "are separate kinds.\n\n"
         "**Safety and disputes.** A safety report goes to its creator and to staff only: for everybody "
         "else its message, its card and everything that\n"
         "follows from it do not exist, and their seqs are sent as `skip`. While it is open, neither party "
         "may write to the other\n"
         "(`SAFETY_SOFT_BLOCK`), in any thread where both are parties: not by `message.send` or "
         "`thread.broadcast`, nor by `message.edit` with a text,\n"
         "`message.react`, `message.pin`, `thread.update` of subject or city, `card.create`, `card.act` or "
         "`tab.put`; nor may either start a thread\n"
         "with the other. Exempt are cards of the types SAFETY and DISPUTE_OPEN, removing a text or a "
         "reaction, and everybody who is not a party:\n"
         "support, services, other members. An open dispute is named by the thread's `disputeMessageId`, "
         "its message stays pinned, and the payout is\n"
         "held until no dispute of its booking is open. Either is a case while it is open, as is a card "
         "that support may decide: under `staff_access =\n"
         "cases` staff may read a thread only because of such a case.\n\n";
  for (const CardKind& kind : CardKinds()) out += KindText(kind);
  out.pop_back();
  return out;
}

}  // namespace parley::threads
