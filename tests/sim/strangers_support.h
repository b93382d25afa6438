// People in the simulation who do not know each other: they send message requests, accept or decline them,
// talk, block and report each other, each thing one request at a time, and remember the answers. Every text
// has a mark, and every frame that any of them receives is searched for marks. They have their own source of
// chance, so that the other actors of a run do not depend on them.
//
// Invariants:
// - a credit is spent once for each conversation that began with a request to a stranger, and never more than
//   were granted; the shown balance lies between the certain and the possible spending;
// - no recipient sees any part of a text before they accepted its author, and no other user ever does;
// - a project that one of them creates is no booking: it starts with a request, like any other conversation;
// - a declined requester never learns of a block;
// - a declined request stays declined until the user who declined writes, and asking again costs no credit;
// - a user who is certainly blocked is refused, and a rejected text is never shown; no request is accepted
//   across a block in either direction; while a booking of the two is live, a block is not in force in it;
// - two users with a block between them do not see each other type or come online, in threads that they
//   opened at any moment;
// - an acknowledged block shows in the blocker's own row in the threads in which it is in force, and nowhere
//   else;
// - every acknowledged report is in one case, and only its author and staff can see it.
#pragma once

#include <array>
#include <deque>
#include <map>
#include <memory>
#include <random>
#include <set>
#include <string>
#include <vector>

#include "tests/sim/account_book_support.h"
#include "tests/sim/stranger_support.h"

namespace parley::sim {

// Counts of actions and judged answers.
struct StrangerReport {
  size_t runs = 0, poor_runs = 0;  // runs with strangers, and with few credits among them
  size_t asked = 0, let_in = 0, turned_away = 0;
  size_t blocks = 0, refused = 0, served = 0;  // sends that the server had to refuse, and to serve
  size_t exhausted = 0;                        // starts without a credit left
  // in a direct thread whose request had come to nothing, by either side
  size_t asked_again = 0, reopened = 0;
  size_t credits = 0;             // answers about credits, judged
  size_t reports = 0, shown = 0;  // texts in frames, judged
  size_t bookings = 0;            // bookings that ended or began
  size_t hidden = 0, typed = 0;   // typing that a block had to hide, and that was seen, at the end
  size_t marks = 0;               // marks of blocks, judged

  void operator+=(const StrangerReport& other);
};

class Strangers {
 public:
  Strangers(uint64_t seed, std::vector<std::string>* complaints);

  // Creates their tenant. REQUIRES: the process is at rest, and no fault is planted.
  void Found(Process& process);
  // Does something or nothing.
  void Work(Process& process);
  void Leave();  // disconnects people who wait for no answer
  void ProcessGone();
  // Checks that acknowledged changes are in force, and repeats requests without an answer. REQUIRES: as
  // above.
  void Check(Process& process, const char* when);
  // The same, and checks that users with a block between them do not see each other type. REQUIRES: as above.
  void Finish(Process& process);

  StrangerReport report() const { return report_; }

 private:
  static constexpr size_t kPeople = 6;
  enum class Known : uint8_t { kNo, kMaybe, kYes };
  // A conversation of two of them, from its first request.
  struct Room {
    size_t by = 0, to = 0;
    std::string kind;
    std::string thread;      // from the answer; empty until then, or if it is another room's
    Fact gate{""};           // open, pending, accepted, declined, blocked; empty if unknown
    int64_t expires_ms = 0;  // when the pending request expires
    bool refused = false;
    // One of them returns, which may reopen it, or the outcome of a return is unknown.
    bool returns = false;
    size_t returned = 0;
    size_t pair_changes = 0;   // changes of the blocks between the two at the time of the request
    bool turned_away = false;  // the other had declined them at the time of the request
    Known first = Known::kNo;  // whether its first message is there
    Fact booking{""};          // live or closed; empty if it is no booking, so that blocks are in force
    bool asked() const { return !gate.Is("") && !gate.Is("open"); }
  };
  struct Text {
    enum class Kind : uint8_t { kSaid, kReported } kind;
    size_t author;
    size_t room;           // only for kSaid
    bool refused = false;  // certainly
    std::string id;        // the message's or the case's; empty until acknowledged
  };
  // Whether a send must be refused or served.
  struct Outlook {
    Verdict verdict = Verdict::kUnsure;
    bool blocked = false, unblocked = false, let_in = false;  // certainly, and if blocks are in force
    size_t changes = 0;
  };
  // Whether one of the two certainly blocks the other.
  struct PairOutlook {
    bool blocked = false, unblocked = false;
    size_t changes = 0;
  };

  void Do(const Errand& errand);
  void Start(size_t by, size_t to);
  void ComeBack();
  void StartOf(size_t kind, size_t by, size_t to);
  void OnStarted(size_t room, std::optional<size_t> text, const protocol::Value* ok, const std::string& code);
  void Merge(size_t room, const protocol::Value& made);
  void OnReturned(size_t by, Room* there, const protocol::Value* request);
  // The room of the two's direct thread, from the answers so far; nullopt if unknown.
  std::optional<size_t> DirectOf(size_t one, size_t other) const;
  bool MayReturn(size_t by, size_t to) const;
  void Say(size_t who, size_t room);
  void OnSaid(size_t text, const Outlook& then, const protocol::Value* ok, const std::string& code);
  void Answer();
  void ChangeBlock(size_t by, size_t whom);
  void AskBlock(Fact* fact, std::string value);
  void BlockSettled(Fact* fact);
  void Book(Process& process, size_t buyer, size_t seller, bool bound);
  void ChangeBooking(Process& process, size_t room);
  void Come(Process& process, size_t who);
  void OpenRoom(size_t who, size_t room);
  void Type(size_t who, size_t room);
  void Report(size_t who);
  void AskCredits(size_t who);

  PairOutlook ExpectPair(const Room& room) const;
  Outlook Expect(const Room& room, size_t who) const;
  std::string GateOf(const Room& room) const;
  bool MayKnow(size_t a, size_t b) const;
  bool IsTurnedAway(size_t by, size_t to) const;
  bool MaySee(const Room& room, size_t who) const;
  struct Spent {
    int64_t certain = 0, possible = 0;  // possible: in addition to certain
  };
  Spent SpentBy(size_t who) const;
  bool MayBeOutOfCredits(size_t who) const;
  void JudgeCredits(size_t who, const Spent& then, int64_t shown, const char* when);
  void Look(size_t receiver, std::string_view bytes);
  void Hear(size_t receiver, const protocol::Value& event);

  void LearnBlocks(Process& process, const char* when);
  void LearnGates(Process& process, const char* when);
  void RepeatErrands(Process& process);
  void CheckTexts(Process& process, const char* when);
  void CheckCredits(Process& process, const char* when);
  void CheckCases(Process& process, const char* when);
  void CheckMarks(Process& process, const char* when);
  void CheckSilence(Process& process);
  void CheckSilence(Process& process, const Room& room, size_t who, size_t to);
  // Requests over HTTP as this user and waits for the answer; complains and returns null if none comes.
  std::shared_ptr<protocol::Document> Fetch(Process& process, const std::string& user,
                                            const std::string& role, const std::string& op,
                                            const std::string& args, std::string* code);

  std::string NewText(Text::Kind kind, size_t author, size_t room);
  Fact& block(size_t by, size_t whom) { return blocks_[by * kPeople + whom]; }
  const Fact& block(size_t by, size_t whom) const { return blocks_[by * kPeople + whom]; }
  const std::string& name(size_t who) const { return people_[who]->user(); }
  void NoteTime(Process& process);
  void Complain(const std::string& what) { complaints_->push_back("strangers: " + what); }
  size_t Roll(size_t below) { return static_cast<size_t>(random_() % below); }

  std::mt19937_64 random_;
  std::vector<std::string>* const complaints_;
  const int64_t grant_;
  std::array<std::unique_ptr<Stranger>, kPeople> people_;
  std::deque<Room> rooms_;
  std::map<std::string, size_t> room_of_;  // by thread
  std::deque<Text> texts_;
  std::vector<Fact> blocks_;
  std::vector<Errand> lost_;
  std::vector<bool> settled_;  // by block: it is as it was last acknowledged, marks included
  // person and typing user → number of typing events received
  std::map<std::pair<size_t, std::string>, int64_t> typed_;
  std::set<std::pair<size_t, size_t>> opened_;  // person and room, on their present connection
  int64_t latest_ms_ = 0;                       // the latest time that the wall clock showed
  int64_t month_ = -1;
  bool one_month_ = true;
  size_t names_ = 0;
  StrangerReport report_;
};

}  // namespace parley::sim
