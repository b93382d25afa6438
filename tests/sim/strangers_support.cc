#include "tests/sim/strangers_support.h"

#include <set>
#include <utility>

#include "accounts/contacts/credits.h"
#include "gateway/router.h"
#include "protocol/base/time.h"

namespace parley::sim {

using protocol::Value;

namespace {

constexpr std::string_view kMark = "~p";

std::string Quoted(const std::string& plain) {
  return '"' + plain + '"';
}

// Nobody knows whether it happened.
bool IsUnknown(const std::string& code) {
  return code.empty() || code == "UNAVAILABLE";
}

// The clock was set, and the token does not hold any more: nothing happened.
bool IsUnheard(const std::string& code) {
  return code == "UNAUTHENTICATED" || code == "AUTH_EXPIRED";
}

bool IsRefusal(const std::string& code) {
  static const std::set<std::string> kRefusals = {"MSG_GATE_REQUIRED", "MSG_BLOCKED_BY_USER",
                                                  "CREDITS_EXHAUSTED"};
  return kRefusals.contains(code);
}

}  // namespace

Strangers::Strangers(uint64_t seed, std::vector<std::string>* complaints)
    : random_(seed ^ 0x737472616e6765), complaints_(complaints), grant_(seed % 2 == 0 ? 2 : 40) {
  blocks_.assign(kPeople * kPeople, Fact("off"));
  told_.assign(kPeople * kPeople, true);
  for (size_t i = 0; i < kPeople; ++i) {
    people_[i] = std::make_unique<Stranger>(
        "per_" + std::string(1, static_cast<char>('a' + i)), i % 2 == 0, seed * 1000 + i, complaints,
        [this, i](std::string_view bytes) { Look(i, bytes); },
        [this, i](const Value& event) { Hear(i, event); });
  }
}

void Strangers::Found(Process& process) {
  report_.runs = 1;
  report_.poor_runs = grant_ < static_cast<int64_t>(kPeople);
  const auto call = [&](const std::string& target, std::string body) {
    gateway::HttpRequest request{"POST", target, std::move(body), "192.0.2.101", {}};
    request.headers = {{"Authorization", "Bearer " + kOperatorKey}};
    const auto answer = process.transport(0).Http(std::move(request));
    process.Settle();
    if (!*answer || (*answer)->status >= 300) Complain(target + " is refused");
  };
  call("/v1/tenants", R"({"tenantId":")" + kStrangersTenant +
                          R"(","name":"strangers","settings":{"limits":{"enabled":false},)" +
                          R"("safety":{"textPolicy":"off"},"messageRequests":{"previewCharacters":0,)" +
                          R"("monthlyCredits":)" + std::to_string(grant_) + "}}}");
  call("/v1/tenants/" + kStrangersTenant + "/activate", "{}");
  Book(process, 0, 1, true);
  Book(process, 2, 3, false);
}

namespace {

// As the tenant's back end, straight on a lane. `done` is not called if the process dies first.
void Serve(Process& process, const std::string& op, const std::string& args, const gateway::Done& done) {
  threads::Caller service;
  service.tenant = protocol::TenantId{protocol::KeyText::UpToNul(kStrangersTenant)};
  service.role = threads::Role::kService;
  protocol::Document document;
  if (protocol::DecodeJson(args, {}, &document))
    return done(threads::Error::BadRequest("args of ours are bad"));
  gateway::Route(process.node().lane(), op, service, document.root, done);
}

}  // namespace

// The two know each other from then on. A project that is bound begins with a live booking.
void Strangers::Book(Process& process, size_t buyer, size_t seller, bool bound) {
  Room room;
  room.by = buyer;
  room.to = seller;
  room.kind = "project";
  room.gate = Fact("open");
  room.booking = Fact(bound ? "live" : "closed");
  const std::string args = "{\"kind\":\"project\",\"buyerUserId\":" + Quoted(name(buyer)) +
                           ",\"sellerUserId\":" + Quoted(name(seller)) +
                           (bound ? ",\"lbgId\":\"lbg_per\"}" : "}");
  Serve(process, "thread.create", args, [&room](const gateway::Answer& answer) {
    protocol::Document reply;
    if (answer.ok() && !protocol::DecodeMsgpack(*answer, {}, &reply))
      room.thread = sim::Text(*reply.root.Find("thread"), "threadId");
  });
  process.Settle();
  if (room.thread.empty()) return Complain("a booking is refused");
  room_of_[room.thread] = rooms_.size();
  rooms_.push_back(std::move(room));
}

void Strangers::ChangeBooking(Process& process, size_t number) {
  Fact& booking = rooms_[number].booking;
  if (!booking.certain() || booking.busy() || booking.Is("")) return;
  const std::string next = booking.Is("live") ? "closed" : "live";
  booking.Ask(next);
  Serve(process, "thread.setBooking",
        "{\"threadId\":" + Quoted(rooms_[number].thread) + ",\"state\":" + Quoted(next) + "}",
        [this, &booking](const gateway::Answer& answer) {
          if (answer.ok()) {
            ++report_.bookings;
            return booking.Acknowledged();
          }
          if (answer.error().code != threads::ErrorCode::kUnavailable)
            Complain("thread.setBooking: " + answer.error().message);
          booking.Lost();
        });
}

void Strangers::Come(Process& process, size_t who) {
  std::erase_if(opened_, [&](const auto& one) { return one.first == who; });
  people_[who]->Come(process, Roll(process.lanes()));
}

void Strangers::OpenRoom(size_t who, size_t number) {
  people_[who]->Run({who, "thread.open", "{\"threadId\":" + Quoted(rooms_[number].thread) + "}",
                     [this, who, number](const Value* ok, const std::string&) {
                       if (ok) opened_.emplace(who, number);
                     }});
}

void Strangers::Type(size_t who, size_t number) {
  people_[who]->Run({who, "typing.set",
                     "{\"threadId\":" + Quoted(rooms_[number].thread) + ",\"typing\":true}",
                     [](const Value*, const std::string&) {}});
}

void Strangers::NoteTime(Process& process) {
  const protocol::Time now = process.clock().Now();
  latest_ms_ = std::max(latest_ms_, now.ms);
  const int64_t month = accounts::MonthOf(now);
  if (month_ < 0) month_ = month;
  one_month_ &= month == month_;
}

void Strangers::Work(Process& process) {
  NoteTime(process);
  for (const auto& person : people_) person->ReadAll();
  if (Roll(4) == 0) process.node().item_writer().Step();
  if (Roll(2) != 0) return;
  const size_t who = Roll(kPeople), other = (who + 1 + Roll(kPeople - 1)) % kPeople;
  Stranger& person = *people_[who];
  if (!person.connected()) return Come(process, who);
  if (!person.ready()) return;
  switch (Roll(28)) {
    case 0:
      return person.Go();
    case 1:
    case 2:
    case 3:
      return Start(who, other);
    case 4:
    case 5:
      return Roll(2) == 0 ? ChangeBlock(who, other) : void();
    case 6:
      return AskCredits(who);
    case 7:
      return Roll(4) == 0 ? Report(who) : void();
    case 8:
    case 9:
    case 10:
    case 11:
    case 12:
    case 13:
    case 14:
      return Answer();
    case 15:
      return ComeBack();
    default:
      break;
  }
  if (rooms_.empty()) return;
  const size_t room = Roll(rooms_.size());
  if (rooms_[room].thread.empty()) return;
  const size_t what = Roll(8);
  if (what == 0) return ChangeBooking(process, room);
  if (what < 3 && (who == rooms_[room].by || who == rooms_[room].to))
    return what == 1 ? OpenRoom(who, room) : Type(who, room);
  Say(Roll(2) == 0 ? rooms_[room].by : rooms_[room].to, room);
}

void Strangers::Leave() {
  for (const auto& person : people_) {
    person->ReadAll();
    person->Go();
  }
}

void Strangers::ProcessGone() {
  for (Room& room : rooms_) {
    if (room.booking.busy()) room.booking.Lost();
  }
  for (const auto& person : people_) {
    person->ReadAll();
    person->ProcessGone();
  }
}

// What will not be answered is asked for again after the next start.
void Strangers::Do(const Errand& errand) {
  Errand once = errand;
  once.done = [this, errand](const Value* ok, const std::string& code) {
    if (!ok && IsUnknown(code)) return lost_.push_back(errand);
    errand.done(ok, code);
  };
  people_[errand.person]->Run(once);
}

std::string Strangers::NewText(Text::Kind kind, size_t author, size_t room) {
  texts_.push_back({kind, author, room, false, {}});
  return std::string(kMark) + std::to_string(texts_.size() - 1) + "~";
}

// --- conversations

void Strangers::Start(size_t by, size_t to) {
  StartOf(Roll(4), by, to);
}

// To a direct thread whose request came to nothing.
void Strangers::ComeBack() {
  for (size_t i = rooms_.size(); i-- > 0;) {
    const Room& room = rooms_[i];
    const std::string gate = room.kind == "direct" && !room.thread.empty() ? GateOf(room) : "";
    if (gate != "declined" && gate != "expired") continue;
    const auto [by, to] = Roll(2) == 0 ? std::pair(room.by, room.to) : std::pair(room.to, room.by);
    if (people_[by]->ready() && MayReturn(by, to)) return StartOf(0, by, to);
  }
}

void Strangers::StartOf(size_t kind, size_t by, size_t to) {
  if (kind == 0 && !MayReturn(by, to)) return;
  const std::optional<size_t> there = kind == 0 ? DirectOf(by, to) : std::nullopt;
  if (there) rooms_[*there].returns = true;
  const size_t number = rooms_.size();
  Room& room = rooms_.emplace_back();
  room.by = by;
  room.to = to;
  room.kind = kind == 0 ? "direct" : "inquiry";
  std::string args =
      "{\"kind\":" + Quoted(room.kind) + ",\"clientId\":" + Quoted("room-" + std::to_string(number));
  args += kind == 0 ? ",\"participants\":[{\"userId\":" + Quoted(name(to)) + "}]"
                    : ",\"buyerUserId\":" + Quoted(name(by)) + ",\"sellerUserId\":" + Quoted(name(to));
  room.pair_changes = ExpectPair(room).changes;
  std::optional<size_t> text;
  if (kind > 1) {
    args += ",\"firstMessage\":" + Quoted(NewText(Text::Kind::kSaid, by, number));
    text = texts_.size() - 1;
    room.first = Known::kMaybe;
  }
  Do({by, "thread.create", args + "}", [this, number, text, there](const Value* ok, const std::string& code) {
        if (there) {
          rooms_[*there].returns = false;
          ++rooms_[*there].returned;
        }
        OnStarted(number, text, ok, code);
      }});
}

std::optional<size_t> Strangers::DirectOf(size_t one, size_t other) const {
  for (size_t i = 0; i < rooms_.size(); ++i) {
    const Room& room = rooms_[i];
    if (room.kind == "direct" && !room.thread.empty() &&
        std::minmax(room.by, room.to) == std::minmax(one, other))
      return i;
  }
  return std::nullopt;
}

// One at a time, and not while its request is being answered: else nobody could say what is to be expected.
bool Strangers::MayReturn(size_t by, size_t to) const {
  for (const Room& room : rooms_) {
    if (room.kind != "direct" || std::minmax(room.by, room.to) != std::minmax(by, to)) continue;
    if (room.returns || room.gate.busy()) return false;
    if (room.thread.empty() && !room.refused) return false;
  }
  return true;
}

void Strangers::OnStarted(size_t number, std::optional<size_t> text, const Value* ok,
                          const std::string& code) {
  Room& room = rooms_[number];
  const std::string what = name(room.by) + " starts with " + name(room.to);
  if (!ok) {
    room.refused = true;
    room.first = Known::kNo;
    if (text) texts_[*text].refused = true;
    if (IsUnheard(code)) return;
    if (!IsRefusal(code)) return Complain(what + ": " + code);
    if (code == "CREDITS_EXHAUSTED") {
      ++report_.exhausted;
      if (!MayBeOutOfCredits(room.by)) Complain(what + ": no credits, although some are left");
    }
    const PairOutlook now = ExpectPair(room);
    if (code == "MSG_BLOCKED_BY_USER" && now.unblocked && now.changes == room.pair_changes)
      Complain(what + ": blocked by nobody");
    return;
  }
  const std::string thread = sim::Text(*ok->Find("thread"), "threadId");
  if (room_of_.contains(thread)) return Merge(number, *ok);
  const Value* request = ok->Find("request");
  const bool asks = request && request->as_map();
  if (!asks && !MayKnow(room.by, room.to)) Complain(what + " and need not ask");
  room_of_[thread] = number;
  room.thread = thread;
  if (text) room.first = Known::kYes;
  room.gate = Fact(asks ? sim::Text(*request, "state") : "open");
  if (!asks) return;
  report_.asked += 1;
  const auto expires = protocol::ParseTime(sim::Text(*request, "expiresAt"));
  room.expires_ms = expires ? expires->ms : 0;
}

// There is one direct thread of the two.
void Strangers::Merge(size_t number, const Value& made) {
  Room& room = rooms_[number];
  const std::string thread = sim::Text(*made.Find("thread"), "threadId");
  Room& there = rooms_[room_of_.at(thread)];
  room.refused = true;
  if (room.kind != "direct" || there.kind != "direct" ||
      std::minmax(room.by, room.to) != std::minmax(there.by, there.to))
    return Complain("a conversation of " + name(room.by) + " is that of others: " + thread);
  const Value* request = made.Find("request");
  OnReturned(room.by, &there, request && request->as_map() ? request : nullptr);
}

// Whoever asked is shown a block as a refusal.
void Strangers::OnReturned(size_t by, Room* there, const Value* request) {
  if (!request || there->gate.busy()) return;
  const std::string state = sim::Text(*request, "state"), before = GateOf(*there);
  const bool shut = before == "declined" || before == "blocked";
  if (by == there->by && shut && state != "declined")
    Complain(name(by) + " comes back to " + there->thread + ", where they were turned away: " + state);
  if (by == there->to && (shut || before == "expired") && state != "accepted")
    Complain(name(by) + " comes back to " + there->thread + " and does not open it: " + state);
  if (state == "declined") return;
  report_.asked_again += before == "expired" && state == "pending";
  report_.reopened += !before.empty() && before != "accepted" && state == "accepted";
  there->gate = Fact(state);
  const auto expires = protocol::ParseTime(sim::Text(*request, "expiresAt"));
  there->expires_ms = expires ? expires->ms : 0;
}

void Strangers::Say(size_t who, size_t number) {
  Room& room = rooms_[number];
  if (!people_[who]->ready()) return;
  const bool opens = GateOf(room) == "pending" && who == room.by && room.first == Known::kNo;
  if (room.first == Known::kMaybe) return;  // one at a time
  const std::string body = NewText(Text::Kind::kSaid, who, number);
  const size_t text = texts_.size() - 1;
  const Outlook then = Expect(room, who);
  if (opens) room.first = Known::kMaybe;
  Do({who, "message.send",
      "{\"threadId\":" + Quoted(room.thread) + ",\"type\":\"text\",\"clientId\":" +
          Quoted("said-" + std::to_string(text)) + ",\"body\":" + Quoted(body) + "}",
      [this, text, then](const Value* ok, const std::string& code) { OnSaid(text, then, ok, code); }});
}

void Strangers::OnSaid(size_t number, const Outlook& then, const Value* ok, const std::string& code) {
  Text& text = texts_[number];
  Room& room = rooms_[text.room];
  const Outlook now = Expect(room, text.author);
  const bool certain = then.changes == now.changes;
  const std::string what = name(text.author) + " says " + std::to_string(number) + " in " + room.thread;
  if (ok) {
    text.id = sim::Text(*ok, "messageId");
    if (room.first == Known::kMaybe) room.first = Known::kYes;
    report_.served += then.verdict == Verdict::kOpen && certain;
    if (then.verdict == Verdict::kShut && certain)
      Complain(what + ", although they are blocked or not let in");
    return;
  }
  text.refused = true;
  if (room.first == Known::kMaybe) room.first = Known::kNo;
  if (IsUnheard(code)) return;
  if (!IsRefusal(code)) return Complain(what + ": " + code);
  if (code == "CREDITS_EXHAUSTED" && !MayBeOutOfCredits(room.by))
    Complain(what + ": no credits, although some are left");
  if (!certain) return;
  report_.refused += then.verdict == Verdict::kShut;
  if (then.verdict == Verdict::kOpen) Complain(what + " and is refused without reason: " + code);
  if (code == "MSG_BLOCKED_BY_USER" && then.unblocked) Complain(what + ": blocked by nobody");
  if (code != "MSG_BLOCKED_BY_USER" && then.blocked && then.let_in)
    Complain(what + ": blocked, and answered " + code);
}

// Whoever was asked, and is there.
void Strangers::Answer() {
  const auto waits = [this](const Room& room) {
    return GateOf(room) == "pending" && !room.gate.busy() && !room.returns && people_[room.to]->ready();
  };
  if (rooms_.empty()) return;
  size_t number = Roll(rooms_.size());
  for (size_t tries = rooms_.size(); tries > 0 && !waits(rooms_[number]); --tries)
    number = (number + 1) % rooms_.size();
  Room& room = rooms_[number];
  if (!waits(room)) return;
  static constexpr const char* kOps[] = {"request.accept", "request.decline", "request.block"};
  static constexpr const char* kStates[] = {"accepted", "declined", "blocked"};
  const size_t which = Roll(3) < 2 ? 0 : 1 + Roll(2);
  Fact* blocks = which == 2 ? &block(room.to, room.by) : nullptr;
  if (blocks && (!blocks->certain() || blocks->busy())) return;
  const PairOutlook then = ExpectPair(room);
  room.gate.Ask(kStates[which]);
  if (blocks) AskBlock(blocks, "on");
  people_[room.to]->Run(
      {room.to, kOps[which], "{\"threadId\":" + Quoted(room.thread) + "}",
       [this, number, which, blocks, then](const Value* ok, const std::string& code) {
         Room& answered = rooms_[number];
         const bool certain = which == 0 && ExpectPair(answered).changes == then.changes;
         if (!ok && IsUnknown(code)) {  // a part of it may have happened
           answered.gate.Lost();
           return blocks ? blocks->Lost() : void();
         }
         if (!ok) {
           answered.gate.Refused();
           if (blocks) blocks->Lost();
           const bool late = code == "ACTION_INVALID_STATE" && GateOf(answered) != "pending";
           const bool apart = code == "MSG_BLOCKED_BY_USER" && which == 0 && !(certain && then.unblocked);
           if (!IsUnheard(code) && !late && !apart) Complain(std::string(kOps[which]) + ": " + code);
           return;
         }
         if (certain && then.blocked)
           Complain(name(answered.to) + " lets " + name(answered.by) + " in, although one blocks the other");
         answered.gate.Acknowledged();
         if (blocks) BlockTold(blocks);
         which == 0 ? ++report_.let_in : ++report_.turned_away;
       }});
}

// --- blocks, reports, credits

void Strangers::ChangeBlock(size_t by, size_t whom) {
  Fact& fact = block(by, whom);
  if (!fact.certain() || fact.busy()) return;
  const bool blocks = fact.Is("off");
  AskBlock(&fact, blocks ? "on" : "off");
  people_[by]->Run({by, blocks ? "user.block" : "user.unblock", "{\"userId\":" + Quoted(name(whom)) + "}",
                    [this, &fact, blocks](const Value* ok, const std::string& code) {
                      if (!ok) {
                        fact.Lost();
                        if (!IsUnknown(code) && !IsUnheard(code)) Complain("a block is refused: " + code);
                        return;
                      }
                      BlockTold(&fact);
                      report_.blocks += blocks;
                    }});
}

void Strangers::AskBlock(Fact* fact, std::string value) {
  told_[static_cast<size_t>(fact - blocks_.data())] = false;
  fact->Ask(std::move(value));
}

void Strangers::BlockTold(Fact* fact) {
  told_[static_cast<size_t>(fact - blocks_.data())] = true;
  fact->Acknowledged();
}

// A message that somebody else wrote, or somebody.
void Strangers::Report(size_t who) {
  const std::string reason = NewText(Text::Kind::kReported, who, 0);
  const size_t number = texts_.size() - 1;
  const size_t whom = (who + 1 + Roll(kPeople - 1)) % kPeople;
  std::string op = "user.report", args = "{\"userId\":" + Quoted(name(whom));
  for (size_t tries = 0; tries < 8 && op == "user.report"; ++tries) {
    const Text& text = texts_[Roll(texts_.size())];
    if (text.kind != Text::Kind::kSaid || text.id.empty()) continue;
    const Room& room = rooms_[text.room];
    if (text.author == who || (who != room.by && who != room.to)) continue;
    const std::string gate = GateOf(room);
    if (gate != "open" && gate != "accepted") continue;
    op = "message.report";
    args = "{\"threadId\":" + Quoted(room.thread) + ",\"messageId\":" + Quoted(text.id);
  }
  Do({who, op, args + ",\"reason\":" + Quoted(reason) + "}",
      [this, number, op](const Value* ok, const std::string& code) {
        if (ok) {
          texts_[number].id = sim::Text(*ok, "caseId");
          ++report_.reports;
        } else if (!IsUnheard(code)) {
          Complain(op + ": " + code);
        }
      }});
}

void Strangers::AskCredits(size_t who) {
  people_[who]->Run(
      {who, "inbox.counts", "{}", [this, who, then = SpentBy(who)](const Value* ok, const std::string& code) {
         if (ok) {
           const Value* credits = ok->Find("credits");
           JudgeCredits(who, then, credits ? Number(*credits, "available") : -1, "as it is told");
         } else if (!IsUnknown(code) && !IsUnheard(code)) {
           Complain("inbox.counts: " + code);
         }
       }});
}

void StrangerReport::operator+=(const StrangerReport& other) {
  for (const auto count :
       {&StrangerReport::runs, &StrangerReport::poor_runs, &StrangerReport::asked, &StrangerReport::let_in,
        &StrangerReport::turned_away, &StrangerReport::blocks, &StrangerReport::refused,
        &StrangerReport::served, &StrangerReport::exhausted, &StrangerReport::asked_again,
        &StrangerReport::reopened, &StrangerReport::credits, &StrangerReport::reports, &StrangerReport::shown,
        &StrangerReport::bookings, &StrangerReport::hidden, &StrangerReport::typed, &StrangerReport::marks})
    this->*count += other.*count;
}

}  // namespace parley::sim
