#include "threads/judge/judge.h"

#include <algorithm>
#include <set>

#include "protocol/base/crypto.h"
#include "protocol/base/encoding.h"
#include "protocol/base/reason.h"
#include "protocol/message_items.h"
#include "protocol/writer.h"
#include "threads/judge/refusals.h"
#include "threads/model/card_kinds.h"

namespace parley::threads {
namespace {

using protocol::PatternSet;
using protocol::PolicyAction;

constexpr size_t kRepeatBytes = 16;
constexpr size_t kHintsMax = 16;
constexpr size_t kWornTogether = 16;

// The sets that matched, in order, and the findings to redact.
struct Met {
  std::set<uint32_t> sets;
  std::vector<text::Finding> redacted;
  bool refused = false;  // a finding that cannot be redacted where it is
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

// Names the rules but never the text.
Error Blocked(const text::Policy& policy, const Met& met) {
  Error error = ErrorFor(protocol::Reason::kTextAgainstRules, "the text breaks the tenant's text policy");
  bool hinted = false;
  for (const uint32_t set : met.sets) {
    const PatternSet& one = policy.sets()[set];
    const bool first = !hinted || one.action == PolicyAction::kBlock;
    if (first && !one.hint.value.empty()) error.hint = one.hint.value;
    hinted = hinted || !one.hint.value.empty();
    error.fields.emplace_back(one.name.value,
                              one.hint.value.empty() ? "is not allowed here" : one.hint.value);
  }
  return error;
}

Error NoLinks() {
  Error error = ErrorFor(protocol::Reason::kLinksOff, "the author may send no links for a while");
  error.fields.emplace_back("links", "are off for a day");
  return error;
}

void AddHints(const text::Policy& policy, const Met& met, Judged* out) {
  for (const uint32_t set : met.sets) {
    const PatternSet& one = policy.sets()[set];
    if (out->hints.items.size() < kHintsMax) out->hints.items.push_back({one.name.value});
    if (out->message.empty()) out->message = one.hint.value;
  }
}

// Identifies a repeated request, whose first answer may have been lost, so that it adds no strikes.
std::string RepeatOf(const Texts& texts) {
  if (texts.repeat.empty()) return {};
  std::string all = texts.repeat;
  all.append(1, '\0').append(texts.body).append(1, '\0').append(texts.others);
  return protocol::Hex(protocol::Sha256(all).substr(0, kRepeatBytes));
}

// Whether the row is newer than the last reset by staff.
bool Counts(const StrikesRow& row, const Barriers& own) {
  return !own.strikes_reset_at || *own.strikes_reset_at < row.at;
}

Result<StrikesRow> StrikesHere(Transaction& tx, const Caller& caller, const ThreadId& thread,
                               const Barriers& own) {
  PARLEY_TRY(row, ReadStrikes(tx.Rows(caller.tenant), *caller.user, thread));
  return row && Counts(*row, own) ? *std::move(row) : StrikesRow{};
}

// The score of the author's other threads. Collects rows that have worn off, so that an author who always
// writes in new threads does not pile up rows.
Result<int64_t> ScoreElsewhere(Transaction& tx, const Caller& caller, const Barriers& own, bool spread,
                               Judged* out) {
  const StrikeRules rules;
  const Time now = tx.moment().now;
  PARLEY_TRY(rows, ReadStrikesOfUser(tx.Rows(caller.tenant), *caller.user));
  int64_t sum = 0;
  for (const auto& [thread, row] : rows) {
    if (thread == out->thread) continue;
    if (IsWorn(row, now, rules)) {
      if (out->worn.size() < kWornTogether) out->worn.push_back(thread);
    } else if (!spread && Counts(row, own)) {
      sum += ScoreOf(row, now, rules);
    }
  }
  return sum;
}

// Members of a booking may exchange contact data. A project that a user created is not a booking yet.
Result<bool> IsBooked(Transaction& tx, const Caller& caller, const ThreadId& thread, bool new_one_is) {
  if (thread == ThreadId{}) return new_one_is && (caller.is_service() || caller.is_staff());
  PARLEY_TRY(head, tx.Thread(caller.tenant, thread));
  return head && head->is_booking();
}

bool IsReport(std::string_view type) {
  return type == kSafety || type == kDispute;
}

Result<bool> IsOfReport(Transaction& tx, const Caller& caller, const Texts& texts) {
  if (!texts.card) return texts.report;
  PARLEY_TRY(row, tx.Rows(caller.tenant).Card(texts.thread, *texts.card));
  return row && IsReport(row->item.type.value);
}

std::string NamesOf(const text::Policy& policy, const Met& met) {
  std::string out;
  for (const uint32_t set : met.sets) out += (out.empty() ? "" : ", ") + policy.sets()[set].name.value;
  return out;
}

Error TooLong() {
  return ErrorFor(protocol::Reason::kTextTooLong, "the texts are longer than the text policy looks through");
}

// The tenant's sets are so costly that the search for disguises was not completed.
Error NotJudged() {
  return ErrorFor(protocol::Reason::kNotJudged, "the text takes too long to judge");
}

}  // namespace

ExaminedPtr Examine(const text::PolicyPtr& policy, const storage::Sealer& sealer, const Caller& caller,
                    Texts texts, const ExamineLimits& limits) {
  if (!policy || !caller.user || caller.is_staff()) return nullptr;
  auto out = std::make_shared<Examined>();
  out->policy = policy;
  out->sealer = sealer;
  out->texts = std::move(texts);
  out->too_long = !out->texts.readable || out->texts.body.size() > limits.body ||
                  out->texts.others.size() > limits.others;
  if (out->too_long) return out;
  if (!out->texts.body.empty()) out->body = policy->Find(out->texts.body);
  if (!out->texts.others.empty()) out->others = policy->Find(out->texts.others);
  return out;
}

Result<Judged> Judge(Transaction& tx, const Caller& caller, const ExaminedPtr& examined) {
  return Judge(tx, caller, examined, examined->texts.thread);
}

Result<Judged> Judge(Transaction& tx, const Caller& caller, const ExaminedPtr& examined,
                     const ThreadId& thread) {
  Judged out;
  out.thread = thread;
  const Texts& texts = examined->texts;
  const text::Policy& policy = *examined->policy;
  const Time now = tx.moment().now;
  const StrikeRules rules;
  PARLEY_TRY(of_report, IsOfReport(tx, caller, texts));
  if (of_report) return out;
  if (examined->too_long) {
    out.refusal = TooLong();
    return out;
  }
  PARLEY_TRY(own, tx.BarriersTo(caller, thread, std::nullopt));
  PARLEY_TRY(row, StrikesHere(tx, caller, thread, own));
  const std::string repeat = RepeatOf(texts);
  const bool again = !repeat.empty() && row.refused.value && row.refused.value->value == repeat;
  if (auto may = MayWriteNow(row, now); !may.ok() && !again) {
    out.refusal = std::move(may.error());
    return out;
  }
  PARLEY_TRY(booked, IsBooked(tx, caller, thread, texts.booked));
  Met met;
  Meet(policy, examined->body, true, booked, &met);
  Meet(policy, examined->others, false, booked, &met);
  if ((examined->body.has_link || examined->others.has_link) && HasNoLinks(row, now, rules)) {
    out.refusal = NoLinks();
    return out;
  }
  const bool complete = examined->body.complete && examined->others.complete;
  if (met.sets.empty()) {
    if (!complete) out.refusal = NotJudged();
    return out;
  }
  if (again) {
    out.refusal = Blocked(policy, met);
    return out;
  }
  PARLEY_TRY(elsewhere, ScoreElsewhere(tx, caller, own, texts.spread, &out));
  Found found = Weigh(policy, met);
  found.block |= !complete;
  Climbed climbed = Climb(std::move(row), found, elsewhere, now, rules);
  climbed.row.refused.value.reset();
  if (climbed.refused) {
    if (!repeat.empty()) climbed.row.refused.value = protocol::Text<64>{repeat};
    out.refusal = Blocked(policy, met);
    out.rules = NamesOf(policy, met);
  } else {
    AddHints(policy, met, &out);
    out.redacted = std::move(met.redacted);
  }
  out.stopped = climbed.stopped;
  out.strikes = std::move(climbed.row);
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
  draft->WillAge(kHistoryRound);
}

void PutStrikes(Transaction& tx, const Caller& caller, const Judged& judged) {
  if (!judged.strikes) return;
  const storage::PartitionKey own = UserPartition(caller.tenant, *caller.user);
  for (const ThreadId& thread : judged.worn) tx.Release(own, StrikesKey(thread));
  tx.Reserve(own, StrikesKey(judged.thread), EncodeStrikes(*judged.strikes));
}

Decision Refused(Transaction& tx, const Caller& caller, const Judged& judged) {
  PutStrikes(tx, caller, judged);
  Decision decision = AnswerOnly({});
  if (judged.thread != ThreadId{}) RecordRefusal(tx.moment(), caller, judged, &decision);
  decision.reserves_only = judged.strikes.has_value() && !decision.changes_something();
  return decision;
}

}  // namespace parley::threads
