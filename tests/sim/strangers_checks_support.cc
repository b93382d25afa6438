// Checks on strangers: on each answer and frame, after every restart, and at the end.
#include <algorithm>
#include <set>

#include "features/people/stored_blocks.h"
#include "tests/sim/strangers_answers_support.h"
#include "tests/sim/strangers_support.h"
#include "threads/model/message_row.h"
#include "threads/model/row_reader.h"

namespace parley::sim {

using protocol::Value;

namespace {

const protocol::TenantId kTenant{protocol::KeyText::UpToNul(kStrangersTenant)};

}  // namespace

// --- certain facts

std::string Strangers::GateOf(const Room& room) const {
  if (!room.gate.certain() || room.returns) return "";
  return room.gate.Is("pending") && latest_ms_ >= room.expires_ms ? "" : room.gate.now();
}

Strangers::PairOutlook Strangers::ExpectPair(const Room& room) const {
  const Fact &one = block(room.by, room.to), &other = block(room.to, room.by);
  return {one.Is("on") || other.Is("on"), one.Is("off") && other.Is("off"), one.changes() + other.changes()};
}

Strangers::Outlook Strangers::Expect(const Room& room, size_t who) const {
  const PairOutlook pair = ExpectPair(room);
  const bool no_booking = room.kind != "project";
  const std::string gate = GateOf(room);
  Outlook out;
  out.changes = pair.changes + room.gate.changes() + room.booking.changes() + room.returned + room.returns;
  out.blocked = pair.blocked && (no_booking || room.booking.Is("closed"));
  out.unblocked = pair.unblocked || (!no_booking && room.booking.Is("live"));
  out.let_in = gate == "open" || gate == "accepted";
  const bool waits = gate == "pending" && (who == room.to || room.first == Known::kYes);
  if (out.blocked || waits || gate == "declined" || gate == "blocked" || gate == "expired")
    out.verdict = Verdict::kShut;
  if (out.unblocked && out.let_in) out.verdict = Verdict::kOpen;
  return out;
}

// Whether one may write to the other without a request: they were accepted once, or the other sent the
// request.
bool Strangers::MayKnow(size_t a, size_t b) const {
  for (const Room& room : rooms_) {
    if (room.refused || std::minmax(room.by, room.to) != std::minmax(a, b)) continue;
    if (room.by == b || room.returns || room.gate.now() == "open" || room.gate.now() == "accepted" ||
        room.gate.asked() == "accepted")
      return true;
  }
  return false;
}

// True only if `by` was certainly refused and does not block `to`: then no answer may reveal a block by `to`.
bool Strangers::IsTurnedAway(size_t by, size_t to) const {
  if (MayKnow(by, to) || !block(by, to).Is("off")) return false;
  return std::any_of(rooms_.begin(), rooms_.end(), [&](const Room& room) {
    return room.by == by && room.to == to && (room.gate.Is("declined") || room.gate.Is("blocked"));
  });
}

bool Strangers::MaySee(const Room& room, size_t who) const {
  if (who == room.by) return true;
  if (who != room.to) return false;
  if (room.returns) return true;
  if (room.gate.Is("")) return MayKnow(room.by, room.to);
  return room.gate.now() == "open" || room.gate.now() == "accepted" || room.gate.asked() == "accepted";
}

// --- credits

Strangers::Spent Strangers::SpentBy(size_t who) const {
  Spent out;
  for (const Room& room : rooms_) {
    if (room.by != who || room.refused) continue;
    out.certain += room.asked();
    out.possible += room.gate.Is("");
  }
  return out;
}

// A rejected start no longer counts.
bool Strangers::MayBeOutOfCredits(size_t who) const {
  const Spent spent = SpentBy(who);
  return !one_month_ || spent.certain + spent.possible >= grant_;
}

void Strangers::JudgeCredits(size_t who, const Spent& then, int64_t shown, const char* when) {
  if (!one_month_) return;
  const Spent now = SpentBy(who);
  ++report_.credits;
  const int64_t most = grant_ - then.certain;
  const int64_t least = std::max<int64_t>(grant_ - now.certain - now.possible, 0);
  if (shown >= least && shown <= most && shown >= 0) return;
  Complain(std::string(when) + ": " + name(who) + " has " + std::to_string(shown) + " credits, not " +
           std::to_string(least) + " to " + std::to_string(most));
}

// --- shown texts

void Strangers::Look(size_t receiver, std::string_view bytes) {
  for (size_t at = bytes.find(kTextMark); at != std::string_view::npos; at = bytes.find(kTextMark, at + 1)) {
    const size_t number =
        std::strtoull(std::string(bytes.substr(at + kTextMark.size(), 10)).c_str(), nullptr, 10);
    if (number >= texts_.size()) return Complain("a text that was never written");
    const Text& text = texts_[number];
    ++report_.shown;
    const std::string what =
        name(receiver) + " is shown " + std::to_string(number) + " of " + name(text.author);
    if (text.refused) Complain(what + ", which was refused");
    if (text.kind == Text::Kind::kReported && receiver != text.author)
      Complain(what + ", the reason of a report");
    if (text.kind == Text::Kind::kSaid && !MaySee(rooms_[text.room], receiver))
      Complain(what + ", whom they did not let in");
  }
}

void Strangers::Hear(size_t receiver, const Value& event) {
  const std::string ev = sim::Text(event, "ev");
  if (ev == "typing") {
    for (const Value& user : *event.Find("userIds")->as_array())
      ++typed_[{receiver, std::string(*user.as_text())}];
  }
  const Value* entry = event.Find("entry");
  const Value* request = entry && entry->as_map() ? entry->Find("request") : event.Find("request");
  if (!request || !request->as_map()) return;
  if (sim::Text(*request, "fromUserId") == name(receiver) && sim::Text(*request, "state") == "blocked")
    Complain(name(receiver) + " received a report that they were blocked");
}

// --- after a restart

std::shared_ptr<protocol::Document> Strangers::Fetch(Process& process, const std::string& user,
                                                     const std::string& role, const std::string& op,
                                                     const std::string& args, std::string* code) {
  gateway::HttpRequest request{"POST", "/v1/ops/" + op, args, "192.0.2.102", {}};
  request.headers = {{"Authorization", "Bearer " + StrangersToken(process, user, role)}};
  const auto answer = process.transport(Roll(process.io_threads())).Http(std::move(request));
  process.Settle();
  auto body = std::make_shared<protocol::Document>();
  if (!*answer || protocol::DecodeJson((*answer)->body, {}, body.get())) {
    Complain(op + " is not answered");
    return nullptr;
  }
  const Value* error = body->root.Find("error");
  *code = error ? sim::Text(*error, "code") : "";
  return body;
}

void Strangers::Check(Process& process, const char* when) {
  if (report_.runs == 0) return;
  NoteTime(process);
  LearnBlocks(process, when);
  LearnGates(process, when);
  RepeatErrands(process);
  CheckTexts(process, when);
  CheckCredits(process, when);
  CheckCases(process, when);
  CheckMarks(process, when);
}

void Strangers::LearnBlocks(Process& process, const char* when) {
  const accounts::RecordReads reads(process.table(), kTenant, process.clock().Now(), process.node().sealer());
  for (size_t by = 0; by < kPeople; ++by) {
    for (size_t whom = 0; whom < kPeople; ++whom) {
      if (by == whom) continue;
      const auto found = features::FindBlock(reads, *protocol::UserId::FromText(name(by)),
                                             *protocol::UserId::FromText(name(whom)));
      if (!found.ok()) return Complain(std::string(when) + ": a block cannot be read");
      if (!block(by, whom).Learn(*found ? "on" : "off"))
        Complain(std::string(when) + ": whether " + name(by) + " blocks " + name(whom) +
                 " is not as it was answered");
    }
  }
}

void Strangers::LearnGates(Process& process, const char* when) {
  const threads::RowReader rows(process.table(), kTenant);
  for (Room& room : rooms_) {
    if (room.thread.empty()) continue;
    const auto head = rows.Thread(*protocol::ThreadId::FromText(room.thread));
    if (!head.ok() || !*head) {
      Complain(std::string(when) + ": a conversation is lost: " + room.thread);
      continue;
    }
    const auto& request = (*head)->hidden.request.value;
    const std::string found = request ? std::string(protocol::NameOf(request->state)) : "open";
    const bool over = found == "expired" && room.gate.now() == "pending" && latest_ms_ >= room.expires_ms;
    if (!room.booking.Is("") || !room.booking.certain()) {
      const auto& booking = (*head)->hidden.booking.value;
      const bool bound = (*head)->item.lbg_id.has_value();
      if (!room.booking.Learn(booking ? std::string(protocol::NameOf(*booking)) : bound ? "live" : "closed"))
        Complain(std::string(when) + ": a booking is not as it was answered: " + room.thread);
    }
    // A return may change the request although its answer was lost.
    const bool returned = room.returns && (found == "accepted" || found == "pending" || found == "expired");
    if (returned && request) room.expires_ms = request->expires_at.ms;
    if (!room.gate.Learn(found) && !over && !returned)
      Complain(std::string(when) + ": a request is " + found + ", without such an answer: " + room.thread);
  }
}

// An errand that was carried out before the crash returns the answer that it would have returned then.
void Strangers::RepeatErrands(Process& process) {
  for (const Errand& errand : std::exchange(lost_, {})) {
    std::string code;
    const auto body = Fetch(process, name(errand.person), "member", errand.op, errand.args, &code);
    if (!body || code == "UNAVAILABLE") {
      lost_.push_back(errand);
      Complain(errand.op + " is not carried out, although nothing stands in its way");
    } else if (!WasMadeBefore(errand, code)) {
      errand.done(code.empty() ? &body->root : nullptr, code);
    }
  }
}

// Every acknowledged text is there, and no rejected one.
void Strangers::CheckTexts(Process& process, const char* when) {
  const threads::RowReader rows(process.table(), kTenant);
  for (size_t i = 0; i < texts_.size(); ++i) {
    const Text& text = texts_[i];
    if (text.kind != Text::Kind::kSaid || text.id.empty()) continue;
    const auto row = rows.Message(*protocol::ThreadId::FromText(rooms_[text.room].thread),
                                  *protocol::MessageId::FromText(text.id));
    if (!row.ok() || !*row || (*row)->item.body != std::string(kTextMark) + std::to_string(i) + "~")
      Complain(std::string(when) + ": an acknowledged message is lost: " + std::to_string(i));
  }
  const storage::Snapshot snapshot = process.table().NewSnapshot();
  const auto look = [&](const auto&, const auto&, storage::RowView row) {
    for (size_t at = row.payload.find(kTextMark); at != std::string_view::npos;
         at = row.payload.find(kTextMark, at + 1)) {
      const size_t number =
          std::strtoull(std::string(row.payload.substr(at + kTextMark.size(), 10)).c_str(), nullptr, 10);
      if (number < texts_.size() && texts_[number].refused)
        Complain(std::string(when) + ": a refused text is stored: " + std::to_string(number));
    }
    return true;
  };
  if (!snapshot->ScanAll(storage::TableTag::kThreads, look).ok())
    Complain(std::string(when) + ": the threads cannot be read");
}

// At rest everything is certain.
void Strangers::CheckCredits(Process& process, const char* when) {
  for (size_t who = 0; who < kPeople; ++who) {
    std::string code;
    const auto body = Fetch(process, name(who), "member", "inbox.counts", "{}", &code);
    if (!body) return;
    const Value* credits = body->root.Find("credits");
    if (!code.empty() || !credits)
      return Complain(std::string(when) + ": the credits cannot be read: " + code);
    JudgeCredits(who, SpentBy(who), Number(*credits, "available"), when);
  }
}

void Strangers::CheckCases(Process& process, const char* when) {
  std::map<std::string, std::set<std::string>> listed;  // the reporters of each case
  std::string cursor, code;
  do {
    const auto body = Fetch(process, "per_staff", "moderator", "moderation.queue",
                            cursor.empty() ? "{}" : "{\"cursor\":\"" + cursor + "\"}", &code);
    if (!body) return;
    if (!code.empty()) return Complain(std::string(when) + ": the cases are not listed: " + code);
    for (const Value& one : *body->root.Find("cases")->as_array()) {
      auto [at, first] = listed.try_emplace(sim::Text(one, "caseId"));
      if (!first) Complain(std::string(when) + ": a case is listed twice");
      for (const Value& by : *one.Find("reportedBy")->as_array()) at->second.emplace(*by.as_text());
    }
    cursor = sim::Text(body->root, "cursor");
  } while (!cursor.empty());
  for (const Text& text : texts_) {
    if (text.kind != Text::Kind::kReported || text.id.empty()) continue;
    if (!listed[text.id].contains(name(text.author)))
      Complain(std::string(when) + ": an acknowledged report of " + name(text.author) + " is in no case");
  }
}

// --- at the end

void Strangers::Finish(Process& process) {
  if (report_.runs == 0) return;
  for (const auto& person : people_) {
    person->ReadAll();
  }
  for (size_t who = 0; who < kPeople; ++who) {
    if (!people_[who]->ready()) Come(process, who);
  }
  process.Settle();
  Check(process, "at the end");
  for (const auto& person : people_) person->ReadAll();
  CheckSilence(process);
}

// Checks both users of a pair, in every thread that has accepted both: with threads opened before, whatever
// has changed since.
void Strangers::CheckSilence(Process& process) {
  for (size_t number = 0; number < rooms_.size(); ++number) {
    const Room& room = rooms_[number];
    const std::string gate = GateOf(room);
    if (room.thread.empty() || (gate != "open" && gate != "accepted")) continue;
    for (const auto& [who, to] : {std::pair(room.by, room.to), std::pair(room.to, room.by)}) {
      if (!people_[who]->ready() || !people_[to]->ready()) continue;
      if (!opened_.contains({to, number})) OpenRoom(to, number);
      process.Settle();
      for (const auto& person : people_) person->ReadAll();
      if (opened_.contains({to, number})) CheckSilence(process, room, who, to);
    }
  }
}

void Strangers::CheckSilence(Process& process, const Room& room, size_t who, size_t to) {
  int64_t& count = typed_[{to, name(who)}];
  const int64_t before = count;
  Type(who, room_of_.at(room.thread));
  process.Settle();
  for (const auto& person : people_) person->ReadAll();
  const Outlook now = Expect(room, who);
  report_.hidden += now.blocked;
  report_.typed += count != before;
  if (now.blocked && count != before)
    Complain(name(to) + " received an event that " + name(who) + " is typing, although one blocks the other");
}

// An acknowledged block shows in the blocker's row in every thread in which it is in force; a block that was
// lifted shows nowhere.
void Strangers::CheckMarks(Process& process, const char* when) {
  const threads::RowReader rows(process.table(), kTenant);
  for (const Room& room : rooms_) {
    const std::string gate = GateOf(room);
    const bool holds = room.kind != "project" || room.booking.Is("closed");
    if (room.thread.empty() || (gate != "open" && gate != "accepted") || !room.booking.certain()) continue;
    for (const auto& [by, whom] : {std::pair(room.by, room.to), std::pair(room.to, room.by)}) {
      const Fact& fact = block(by, whom);
      if (!fact.certain() || !settled_[by * kPeople + whom]) continue;
      const auto row =
          rows.Participant(*protocol::ThreadId::FromText(room.thread), *protocol::UserId::FromText(name(by)));
      if (!row.ok() || !*row) return Complain(std::string(when) + ": a row of a member is lost");
      ++report_.marks;
      if ((*row)->hidden.blocked_until.has_value() != (holds && fact.Is("on")))
        Complain(std::string(when) + ": whether " + name(by) + " blocks " + name(whom) + " is not shown in " +
                 room.thread + " as it is");
    }
  }
}

}  // namespace parley::sim
