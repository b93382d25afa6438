// Strangers begin conversations, return to them, write in them and answer requests.
#include <utility>

#include "protocol/base/time.h"
#include "tests/sim/strangers_answers_support.h"
#include "tests/sim/strangers_support.h"

namespace parley::sim {

using protocol::Value;

void Strangers::Start(size_t by, size_t to) {
  StartOf(Roll(4), by, to);
}

// Returns to a direct thread whose request came to nothing.
void Strangers::ComeBack() {
  for (size_t i = rooms_.size(); i-- > 0;) {
    const Room& room = rooms_[i];
    const std::string gate = room.kind == "direct" && !room.thread.empty() ? GateOf(room) : "";
    if (gate != "declined" && gate != "expired") continue;
    const auto [by, to] = Roll(4) == 0 ? std::pair(room.by, room.to) : std::pair(room.to, room.by);
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
  // A project that a user creates is no booking.
  const bool own_project = kind > 0 && Roll(3) == 0;
  room.kind = kind == 0 ? "direct" : own_project ? "own project" : "inquiry";
  std::string args = "{\"kind\":" + Quoted(own_project ? "project" : room.kind) +
                     ",\"clientId\":" + Quoted("room-" + std::to_string(number));
  args += kind == 0 ? ",\"participants\":[{\"userId\":" + Quoted(name(to)) + "}]"
                    : ",\"buyerUserId\":" + Quoted(name(by)) + ",\"sellerUserId\":" + Quoted(name(to));
  // Without a role it is the pair's own inquiry, created by the first who asks for it.
  if (kind > 1) args += ",\"role\":" + Quoted("role-" + std::to_string(number));
  room.pair_changes = ExpectPair(room).changes;
  room.turned_away = IsTurnedAway(by, to);
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

// One return at a time, and none while the request is being answered: otherwise the outcome could not be
// predicted.
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
      Complain(what + ": refused for a block, but no user blocks them");
    if (code == "MSG_BLOCKED_BY_USER" && room.turned_away && IsTurnedAway(room.by, room.to))
      Complain(what + ": the answer reveals a block, after their request was declined");
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

// The two have one direct thread, and one inquiry of each as the buyer.
void Strangers::Merge(size_t number, const Value& made) {
  Room& room = rooms_[number];
  const std::string thread = sim::Text(*made.Find("thread"), "threadId");
  Room& there = rooms_[room_of_.at(thread)];
  room.refused = true;
  const bool direct =
      room.kind == "direct" && std::minmax(room.by, room.to) == std::minmax(there.by, there.to);
  const bool inquiry = room.kind == "inquiry" && room.by == there.by && room.to == there.to;
  if (room.kind != there.kind || (!direct && !inquiry))
    return Complain("a conversation of " + name(room.by) + " is that of others: " + thread);
  const Value* request = made.Find("request");
  OnReturned(room.by, &there, request && request->as_map() ? request : nullptr);
}

// The requester sees a block as a decline.
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
  if (code == "MSG_BLOCKED_BY_USER" && then.unblocked)
    Complain(what + ": refused for a block, but no user blocks them");
  if (code != "MSG_BLOCKED_BY_USER" && then.blocked && then.let_in)
    Complain(what + ": blocked, and answered " + code);
}

// A person who received a request and is connected answers it.
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
         if (blocks) BlockSettled(blocks);
         which == 0 ? ++report_.let_in : ++report_.turned_away;
       }});
}

}  // namespace parley::sim
