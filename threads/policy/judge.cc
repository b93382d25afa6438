#include "threads/policy/judge.h"

#include <algorithm>
#include <set>

#include "protocol/base/crypto.h"
#include "protocol/writer.h"
#include "threads/model/card_kinds.h"

namespace parley::threads {
namespace {

using protocol::PatternSet;
using protocol::PolicyAction;

constexpr size_t kRepeatBytes = 16;
constexpr size_t kHintsMax = 16;
// Of texts besides a tab's or a card's in the same request, which are bounded each: a subject, what a
// stranger asks to be told.
constexpr size_t kBesideMost = 8 * 1024;

// The sets that were met, in order, and what is redacted.
struct Met {
  std::set<uint32_t> sets;
  std::vector<text::Finding> redacted;
  bool refused = false;  // something that cannot be redacted where it is
};

void Meet(const text::Policy& policy, const text::Scan& scan, bool redactable, bool booked, Met* met) {
  for (const text::Finding& one : scan.findings) {
    const PatternSet& set = policy.sets()[one.set];
    if (booked && set.until_booking.value.value_or(false)) continue;
    met->sets.insert(one.set);
    if (set.action != PolicyAction::kRedact) continue;
    if (redactable) {
      met->redacted.push_back(one);
    } else {
      met->refused = true;
    }
  }
}

Found Weigh(const text::Policy& policy, const Met& met) {
  Found out;
  out.block = met.refused;
  for (const uint32_t set : met.sets) {
    out.points += policy.ScoreOf(set);
    out.block |= policy.sets()[set].action == PolicyAction::kBlock;
    out.soft |= policy.sets()[set].action == PolicyAction::kNudge;
  }
  return out;
}

// Names the rules, and never what was written.
Error Blocked(const text::Policy& policy, const Met& met) {
  Error error(ErrorCode::kMsgPolicyBlocked, "the text breaks the tenant's text policy");
  for (const uint32_t set : met.sets) {
    const PatternSet& one = policy.sets()[set];
    const bool first = error.hint.empty() || one.action == PolicyAction::kBlock;
    if (first && !one.hint.value.empty()) error.hint = one.hint.value;
    error.fields.emplace_back(one.name.value,
                              one.hint.value.empty() ? "is not allowed here" : one.hint.value);
  }
  return error;
}

Error NoLinks() {
  Error error(ErrorCode::kMsgPolicyBlocked, "the author may send no links for a while");
  error.hint = "Links are off for you in this conversation for now.";
  error.fields.emplace_back("links", "are off for a day");
  return error;
}

void Tell(const text::Policy& policy, const Met& met, Judged* out) {
  for (const uint32_t set : met.sets) {
    const PatternSet& one = policy.sets()[set];
    if (out->hints.items.size() < kHintsMax) out->hints.items.push_back({one.name.value});
    if (out->message.empty()) out->message = one.hint.value;
  }
}

// The same request again: its answer may have been lost, so it adds nothing to the ladder.
std::string RepeatOf(const Texts& texts) {
  if (texts.repeat.empty()) return {};
  std::string all = texts.repeat;
  all.append(1, '\0').append(texts.body).append(1, '\0').append(texts.others);
  return protocol::Hex(protocol::Sha256(all).substr(0, kRepeatBytes));
}

Result<int64_t> ScoreElsewhere(Stage& stage, const Caller& caller, const Texts& texts,
                               const LadderRules& rules) {
  if (texts.spread) return int64_t{0};
  PARLEY_TRY(rows, ReadLadders(stage.Rows(caller.tenant), *caller.user));
  int64_t sum = 0;
  for (const auto& [thread, row] : rows) {
    if (thread != texts.thread) sum += ScoreOf(row, stage.moment().now, rules);
  }
  return sum;
}

// Whoever has booked may tell the other how they are reached.
Result<bool> IsBooked(Stage& stage, const Caller& caller, const Texts& texts) {
  if (texts.thread == ThreadId{}) return texts.booked;
  PARLEY_TRY(head, stage.Thread(caller.tenant, texts.thread));
  return head && head->item.kind == protocol::ThreadKind::kProject;
}

void AppendStrings(const protocol::Value& value, std::string* out) {
  if (const auto* text = value.as_text()) out->append(*text).append(1, '\n');
  if (const auto* array = value.as_array()) {
    for (const protocol::Value& one : *array) AppendStrings(one, out);
  }
  if (const auto* map = value.as_map()) {
    for (const auto& [name, member] : *map) AppendStrings(member, out);
  }
}

}  // namespace

std::string StringsIn(const protocol::Json& json) {
  protocol::Document document;
  std::string out;
  if (DecodeStored(json.msgpack, &document)) AppendStrings(document.root, &out);
  return out;
}

Texts TextsOf(const protocol::MessageSend::Args& args) {
  return {args.thread_id, args.body.value, {}, std::string(args.client_id.value.text())};
}
Texts TextsOf(const protocol::MessageEdit::Args& args) {
  return {args.thread_id, args.body.value, {}, {}};
}
Texts TextsOf(const protocol::ThreadBroadcast::Args& args) {
  return {ThreadId{}, args.body.value, {}, std::string(args.client_id.value.text()), true, true};
}
Texts TextsOf(const protocol::ThreadCreate::Args& args) {
  Texts out;
  if (args.first_message) out.body = args.first_message->value;
  if (args.subject) out.others = args.subject->value + "\n";
  if (args.brief) out.others += StringsIn(*args.brief);
  if (args.contact.value) out.others += StringsIn(*args.contact.value);
  if (args.client_id) out.repeat = args.client_id->value.text();
  out.booked = args.kind == protocol::ThreadKind::kProject;
  return out;
}
Texts TextsOf(const protocol::ThreadUpdate::Args& args) {
  return {args.thread_id, {}, args.subject.value ? args.subject.value->value : std::string(), {}};
}
Texts TextsOf(const protocol::TabPut::Args& args) {
  return {args.thread_id, {}, StringsIn(args.content), {}};
}
// Reports say what was done, and may quote it.
Texts TextsOf(const protocol::CardCreate::Args& args) {
  const bool reports = args.type.value == kSafety || args.type.value == kDispute;
  return {args.thread_id,
          {},
          reports ? std::string() : StringsIn(args.payload),
          std::string(args.client_id.value.text())};
}

ExaminedPtr Examine(const text::PolicyPtr& policy, const storage::Sealer& sealer, const Caller& caller,
                    Texts texts, size_t most_bytes) {
  if (!policy || !caller.user || caller.is_staff()) return nullptr;
  if (texts.body.size() > most_bytes || texts.others.size() > 4 * most_bytes + kBesideMost) return nullptr;
  auto out = std::make_shared<Examined>();
  out->policy = policy;
  out->sealer = sealer;
  out->texts = std::move(texts);
  if (!out->texts.body.empty()) out->body = policy->Find(out->texts.body);
  if (!out->texts.others.empty()) out->others = policy->Find(out->texts.others);
  return out;
}

Result<Judged> Judge(Stage& stage, const Caller& caller, const ExaminedPtr& examined) {
  Judged out;
  const Texts& texts = examined->texts;
  const text::Policy& policy = *examined->policy;
  const Time now = stage.moment().now;
  const LadderRules rules;
  PARLEY_TRY(found_row, ReadLadder(stage.Rows(caller.tenant), *caller.user, texts.thread));
  LadderRow row = std::move(found_row).value_or(LadderRow{});
  const std::string repeat = RepeatOf(texts);
  const bool again = !repeat.empty() && row.refused.value && row.refused.value->value == repeat;
  if (auto may = MayWriteNow(row, now); !may.ok() && !again) {
    out.refusal = std::move(may.error());
    return out;
  }
  PARLEY_TRY(booked, IsBooked(stage, caller, texts));
  Met met;
  Meet(policy, examined->body, true, booked, &met);
  Meet(policy, examined->others, false, booked, &met);
  if ((examined->body.has_link || examined->others.has_link) && HasNoLinks(row, now, rules)) {
    out.refusal = NoLinks();
    return out;
  }
  if (met.sets.empty()) return out;
  if (again) {
    out.refusal = Blocked(policy, met);
    return out;
  }
  PARLEY_TRY(elsewhere, ScoreElsewhere(stage, caller, texts, rules));
  Climbed climbed = Climb(std::move(row), Weigh(policy, met), elsewhere, now, rules);
  climbed.row.refused.value.reset();
  if (climbed.refused) {
    if (!repeat.empty()) climbed.row.refused.value = protocol::Text<64>{repeat};
    out.refusal = Blocked(policy, met);
  } else {
    Tell(policy, met, &out);
    out.redacted = std::move(met.redacted);
  }
  out.stopped = climbed.stopped;
  out.ladder = std::move(climbed.row);
  out.examined = examined;
  return out;
}

std::string BodyFor(const Judged& judged, const std::string& text, protocol::MessageFlags* flags) {
  flags->policy_hints = judged.hints;
  return judged.redacted.empty() ? text : text::Redact(text, judged.redacted);
}

protocol::Omit<protocol::Json> NudgeFor(const Judged& judged) {
  if (judged.hints.items.empty()) return {};
  protocol::Writer writer;
  writer.BeginMap(3);
  writer.Text("hints");
  writer.BeginArray(judged.hints.items.size());
  for (const auto& hint : judged.hints.items) writer.Text(hint.value);
  writer.Text("message");
  writer.Text(judged.message);
  writer.Text("redacted");
  writer.Bool(!judged.redacted.empty());
  return {protocol::Json{writer.Take()}};
}

void KeepOriginal(Draft* draft, const Judged& judged, const Caller& caller, const protocol::Message& message,
                  std::string_view original) {
  if (judged.redacted.empty() || !judged.examined->sealer.has_keys()) return;
  const storage::SortKey sort = OriginalKey(message.message_id, message.seq);
  const std::string place = OriginalPlace(caller.tenant, message.thread_id, sort);
  draft->Write(sort, judged.examined->sealer.Seal(storage::SealPurpose::kAttributes, place, original));
}

void StageLadder(Stage& stage, const Caller& caller, const Judged& judged) {
  if (!judged.ladder) return;
  stage.Reserve(UserPartition(caller.tenant, *caller.user), LadderKey(judged.examined->texts.thread),
                EncodeLadder(*judged.ladder));
}

Decision Refused(Stage& stage, const Caller& caller, const Judged& judged) {
  StageLadder(stage, caller, judged);
  Decision decision = AnswerOnly({});
  decision.reserves_only = judged.ladder.has_value();
  return decision;
}

}  // namespace parley::threads
