// People who do not know each other, in the simulation: they ask to be heard, let each other in or not, talk,
// block and report each other, each thing one request at a time, and remember what was answered. Whatever
// anybody wrote has a mark, which is looked for in every frame that any of them receives. Their chance is
// their own, so that what other people do in a run does not depend on them.
//
// What must hold:
// - a credit is spent once for each conversation for which a stranger was asked, and never one more than was
//   granted; what is shown lies between what is spent for certain and what may be;
// - nothing of a text is shown to whom it is for before they let its author in, and never to anybody else;
// - a project that one of them makes is no booking: they ask, as for any other conversation;
// - a refused requester learns of no block;
// - what was declined stays so until whoever declined writes themselves, and asking again costs no credit;
// - whoever is blocked for certain is refused, and what was refused is never shown to anybody; nobody accepts
//   a request of whom they block or are blocked by; while a booking of two is live, a block does not hold in
//   it;
// - two who are apart do not see each other type or be there, in threads that they opened at whatever moment;
// - an acknowledged block shows in the own row of the one who blocks, where it holds, and nowhere else;
// - every report that was acknowledged is in one case, and nobody but its author and staff learns of it.
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

// How much was done and judged.
struct StrangerReport {
  size_t runs = 0, poor_runs = 0;  // that played strangers, and among them those with few credits
  size_t asked = 0, let_in = 0, turned_away = 0;
  size_t blocks = 0, refused = 0, served = 0;  // sends that had to be refused, and must not have been
  size_t exhausted = 0;                        // starts without a credit left
  size_t asked_again = 0, reopened = 0;        // in a direct thread, by either side of what came to nothing
  size_t credits = 0;                          // answers about credits, judged
  size_t reports = 0, shown = 0;               // texts in frames, judged
  size_t bookings = 0;                         // that ended or began
  size_t hidden = 0, typed = 0;  // typing that was not to be seen, and that was seen, at the end
  size_t marks = 0;              // of blocks, judged

  void operator+=(const StrangerReport& other);
};

class Strangers {
 public:
  Strangers(uint64_t seed, std::vector<std::string>* complaints);

  // Makes their tenant. REQUIRES: the process is at rest, and no fault is planted.
  void Found(Process& process);
  // Something or nothing.
  void Work(Process& process);
  void Leave();  // whoever waits for nothing hangs up
  void ProcessGone();
  // What was acknowledged holds; what was asked for and not answered is asked for again. REQUIRES: as above.
  void Check(Process& process, const char* when);
  // The same, and that blocked people do not see each other type. REQUIRES: as above.
  void Finish(Process& process);

  StrangerReport report() const { return report_; }

 private:
  static constexpr size_t kPeople = 6;
  enum class Known : uint8_t { kNo, kMaybe, kYes };
  // Where two of them talk, from the moment one asked for it.
  struct Room {
    size_t by = 0, to = 0;
    std::string kind;
    std::string thread;      // as answered; empty: not yet, or it is another room's
    Fact gate{""};           // open, pending, accepted, declined, blocked; empty: nothing is known
    int64_t expires_ms = 0;  // of what is pending
    bool refused = false;
    // One of them comes back, which may open it again; or nobody knows whether they did.
    bool returns = false;
    size_t returned = 0;
    size_t pair_changes = 0;   // of the blocks between the two, when it was asked for
    bool turned_away = false;  // by the other before, when it was asked for
    Known first = Known::kNo;  // whether its first message is there
    Fact booking{""};          // live, closed; empty: it is none, and blocks hold
    bool asked() const { return !gate.Is("") && !gate.Is("open"); }
  };
  struct Text {
    enum class Kind : uint8_t { kSaid, kReported } kind;
    size_t author;
    size_t room;           // of kSaid
    bool refused = false;  // for certain
    std::string id;        // of the message or the case; empty: not acknowledged
  };
  // Whether a send must be refused, or must not be.
  struct Outlook {
    Verdict verdict = Verdict::kUnsure;
    bool blocked = false, unblocked = false, let_in = false;  // for certain, and where blocks hold
    size_t changes = 0;
  };
  // Whether one of two blocks the other, for certain, wherever that holds.
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
  // Where the two have their direct thread, as far as anybody was answered; nothing: nowhere yet.
  std::optional<size_t> DirectOf(size_t one, size_t other) const;
  bool MayReturn(size_t by, size_t to) const;
  void Say(size_t who, size_t room);
  void OnSaid(size_t text, const Outlook& then, const protocol::Value* ok, const std::string& code);
  void Answer();
  void ChangeBlock(size_t by, size_t whom);
  void AskBlock(Fact* fact, std::string value);
  void BlockTold(Fact* fact);
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
    int64_t certain = 0, possible = 0;  // possible: in addition
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
  // As somebody over HTTP, and waits for the answer; null, and a complaint, if there is none.
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
  std::vector<bool> told_;  // of each block: it is as it was last acknowledged, marks included
  std::map<std::pair<size_t, std::string>, int64_t> typed_;  // person and who types → how often they heard it
  std::set<std::pair<size_t, size_t>> opened_;               // person and room, on their present line
  int64_t latest_ms_ = 0;                                    // that the wall clock has shown
  int64_t month_ = -1;
  bool one_month_ = true;
  size_t names_ = 0;
  StrangerReport report_;
};

}  // namespace parley::sim
