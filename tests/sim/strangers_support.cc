#include "tests/sim/strangers_support.h"

#include "features/requests/credits.h"
#include "gateway/ops/router.h"
#include "tests/sim/strangers_answers_support.h"

namespace parley::sim {

using protocol::Value;

Strangers::Strangers(uint64_t seed, std::vector<std::string>* complaints)
    : random_(seed ^ 0x737472616e6765), complaints_(complaints), grant_(seed % 2 == 0 ? 2 : 40) {
  blocks_.assign(kPeople * kPeople, Fact("off"));
  settled_.assign(kPeople * kPeople, true);
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
  call(
      "/v1/tenants",
      R"({"tenantId":")" + kStrangersTenant +
          R"(","name":"strangers","settings":{"knownUsersOnly":false,"userProjects":true,"limits":{"enabled":false},)" +
          R"("safety":{"textPolicy":"off"},"messageRequests":{"previewCharacters":0,)" +
          R"("monthlyCredits":)" + std::to_string(grant_) + "}}}");
  call("/v1/tenants/" + kStrangersTenant + "/activate", "{}");
  Book(process, 0, 1, true);
  Book(process, 2, 3, false);
}

namespace {

// Sends as the tenant's back end, directly on an I/O thread. `done` is not called if the process dies first.
void Serve(Process& process, const std::string& op, const std::string& args, const gateway::Done& done) {
  threads::Caller service;
  service.tenant = protocol::TenantId{protocol::KeyText::UpToNul(kStrangersTenant)};
  service.role = threads::Role::kService;
  protocol::Document document;
  if (protocol::DecodeJson(args, {}, &document))
    return done(threads::Error::BadRequest("args of ours are bad"));
  gateway::Route(process.node().io(), op, service, document.root, done);
}

}  // namespace

// The two know each other from then on. A bound project begins with a live booking.
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
  people_[who]->Come(process, Roll(process.io_threads()));
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
  const int64_t month = features::MonthOf(now);
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
    case 16:
    case 17:
    case 18:
      return ComeBack();
    default:
      break;
  }
  if (rooms_.empty()) return;
  const size_t room = Roll(rooms_.size());
  if (rooms_[room].thread.empty()) return;
  const size_t what = Roll(6);
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

// A request whose answer is lost is repeated after the next start.
void Strangers::Do(const Errand& errand) {
  Errand once = errand;
  once.done = [this, errand](const Value* ok, const std::string& code) {
    if (!ok && IsUnknown(code)) {
      lost_.push_back(errand);
      ++lost_.back().lost;
      return;
    }
    if (!ok && WasMadeBefore(errand, code)) return;
    errand.done(ok, code);
  };
  people_[errand.person]->Run(once);
}

std::string Strangers::NewText(Text::Kind kind, size_t author, size_t room) {
  texts_.push_back({kind, author, room, false, {}});
  return std::string(kTextMark) + std::to_string(texts_.size() - 1) + "~";
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
