// A user's device in the simulation. It acts like a careful client: one outbox replayed in order with the
// same clientIds, a known seq per thread, resume after every loss of the connection. And it judges the
// events: order, holes, repeats, silence after removal, entries and receipts. Any complaint fails the run.
#pragma once

#include <deque>
#include <map>
#include <set>
#include <string>
#include <vector>

#include "tests/sim/bodies_support.h"
#include "tests/sim/line_support.h"
#include "tests/sim/witness_support.h"

namespace parley::sim {

// The knowledge that all devices share, and counts of the judged events.
struct Evidence {
  std::vector<std::string> complaints;
  // Thread, tab and version → the content acknowledged under it.
  std::map<std::string, std::string> wins;
  Bodies bodies;
  Witness witness;
  size_t entries = 0, receipts = 0, typings = 0;  // received and judged
  size_t filled = 0;    // items that came in the compact form, and equal their rows once filled in
  size_t opened = 0;    // threads that a device receives in full because it opened them
  size_t silences = 0;  // threads that went on without a device whose removal was reported to it
  // "usr_a usr_b" → the thread that the server returned for the two
  std::map<std::string, std::string> directs;
  std::set<std::string> sanctioned;  // users whom moderators may have muted, shadowed or suspended
  bool HasPanel(const std::string& thread) const {
    const auto known = witness.threads().find(thread);
    return known != witness.threads().end() && known->second.facts.head->Text("kind") == "project";
  }
};

// A card in the last state that the device received.
struct HeldCard {
  std::string type, state;
  int64_t version = 0;
};

// The time during which a repeat returns the result of the first request. A careful client repeats nothing
// later, unless it does not know the outcome.
inline constexpr int64_t kAnsweredMs = int64_t{24} * 3600 * 1000;

// A card from its first request until the end of the run.
struct Opening {
  std::string thread, client_id, type, payload, expires_at;
  bool acknowledged = false;
  std::string message_id;
  int64_t asked_ms = 0;
};

// An intent from the moment the user pressed the button until the end of the run.
struct Act {
  std::string thread, message, intent, client_id;
  int64_t version = 0;  // that the user saw
  bool acknowledged = false;
  std::string state;  // from the answer
  int64_t to_version = 0;
};

// One message to the leg threads of an LBG, from its first request until the end of the run.
struct Broadcast {
  std::string lbg, client_id, body;
  bool answered = false;
  std::map<std::string, std::string> sent;  // thread → messageId, as acknowledged
  int64_t asked_ms = 0;
};

// The device's state of one thread.
struct Held {
  int64_t seq = 0;    // last seq received
  int64_t since = 0;  // receives everything after this seq
  bool catching_up = false;
  // The connection was lost during catch-up: an item created before that point and changed after it comes as
  // an update.
  bool interrupted = false;
  std::map<std::string, int64_t> items;       // item → its last received seq
  std::map<std::string, std::string> bodies;  // messageId → last received body
  std::map<std::string, int64_t> tabs;        // last received versions
  int64_t panel_version = 0;
  std::map<std::string, HeldCard> cards;  // by messageId
  // Messages that report the outcome of a report, and the report that they name: during catch-up, a report
  // that was redacted since comes after its outcome.
  std::vector<std::pair<std::string, std::string>> outcomes;
  std::set<std::string> left;                // users whose removal was received
  std::map<std::string, std::string> reads;  // user → lastReadMsgId from receipts
};

// A send from the moment the user pressed the key until the end of the run.
struct Send {
  std::string thread, client_id, body;
  bool acknowledged = false;
  std::string message_id;
  int64_t seq = 0, msg_no = 0;
  int64_t asked_ms = 0;
};

class Client final : public Line {
 public:
  Client(std::string user, bool json, uint64_t seed, Evidence* evidence)
      : Line(std::move(user), json, seed, &evidence->complaints), evidence_(evidence) {}

  // Connects. `open_only`: under `deliver: open`, which only a fresh device may change.
  void Connect(Process& process, size_t io, bool resume, bool open_only);
  bool ready() const { return ready_; }
  bool open_only() const { return open_only_; }

  // Actions of a user. Each is a request whose reply is judged when it comes. `leg`: an LBG and a leg, "lbg_1
  // leg_2"; empty if the thread is bound to nothing.
  void CreateThread(const std::string& seller, const std::vector<std::string>& others, bool with_message,
                    const std::string& leg, const std::string& client_id);
  void CreateDirect(const std::string& other, bool with_message, const std::string& client_id);
  void CreateGroup(const std::vector<std::string>& others, bool with_message, const std::string& client_id);
  void RepeatCreate(size_t which);  // one of the earlier requests
  size_t creates() const { return creates_.size(); }
  void SendNext(const std::string& thread, const std::string& client_id, const std::string& body);
  void RetryUnacknowledged();
  void RepeatSends();  // the last acknowledged ones, as if the answers were lost
  void Edit(const std::string& thread, const std::string& message, const std::string& body);
  void Delete(const std::string& thread, const std::string& message);
  void MarkRead(const std::string& thread, const std::string& message);
  void Manage(const char* op, const std::string& thread, const std::string& other);
  void SetFlags(const std::string& thread, bool pinned, bool archived);
  void Mute(const std::string& thread, bool on, const std::string& until);  // an empty `until` is for ever
  void Label(const std::string& thread, const std::string& label);          // an empty label removes it
  // Until then, or until the event (message, card, status); empty lets the server choose.
  void Snooze(const std::string& thread, protocol::Time until, std::string_view event);
  void Type(const std::string& thread, bool typing);
  // Based on the last version that it received. `content` is the name of the new content.
  void PutTab(const std::string& thread, const std::string& tab, const std::string& content);
  void SendToLegs(const std::string& lbg, const std::string& client_id, const std::string& body);
  void Pin(const std::string& thread, const std::string& message, bool on);
  void React(const std::string& thread, const std::string& message, const std::string& emoji, bool on);
  // Checks every folder's total against its list. REQUIRES: nothing changes.
  void CheckFolders();
  void CheckFilter(bool muted);
  void Open(const std::string& thread);
  void Close(const std::string& thread);
  void ListInbox();
  void ReadMessages(const std::string& thread);  // all of them, page by page
  void CreateCard(const std::string& thread, const std::string& type, const std::string& payload,
                  const std::string& client_id, const std::string& expires_at);
  void ActOn(const std::string& thread, const std::string& message, const std::string& intent,
             const std::string& client_id);
  void RetryActs();  // and openings, and broadcasts

  const std::map<std::string, Held>& held() const { return held_; }
  // Threads whose entries it received, but whose events it does not receive.
  std::vector<std::string> KnownThreads() const;
  const std::deque<Send>& sends() const { return sends_; }
  // First messages of creations: body → the thread in which it was acknowledged, or "".
  std::map<std::string, std::string> FirstMessages() const;
  const std::deque<Act>& acts() const { return acts_; }
  const std::deque<Opening>& openings() const { return openings_; }
  const std::deque<Broadcast>& broadcasts() const { return broadcasts_; }
  // Thread → this user's newest acknowledged read cursor.
  const std::map<std::string, std::string>& read() const { return read_; }
  bool all_acknowledged() const;

  // Checks, at rest, that a session under `deliver: open` received everything due about threads that it has
  // not opened.
  void CheckEntries();
  // The number of threads that continued without it after this connection reported its removal.
  size_t Silences() const;

 private:
  void OnEvent(const protocol::Value& event) override;
  void OnLineLost() override;
  void OnReceived(std::string_view bytes) override;
  void OnClosed(uint16_t code) override;
  // Whether the rejection is a moderator's sanction.
  bool IsSanction(const std::string& code) const {
    return code == "FORBIDDEN" && evidence_->sanctioned.contains(user());
  }
  void OnHello(const protocol::Value& ok);
  void OnSynced(const protocol::Value& event);
  void OnShared(const protocol::Value& event, const std::string& ev);
  void Hold(Held& held, const std::string& ev, const protocol::Value& item, const std::string& where);
  void CheckOutcomes(Held& held);
  void CheckSecrecy(Held& held, const protocol::Value& item, const std::string& where);
  void CheckFilled(const std::string& thread, const std::string& ev, const protocol::Value& item);
  void OnTab(Held& held, const protocol::Value& item, const std::string& where);
  void OnReceipt(const protocol::Value& event);
  void OnEntry(const protocol::Value& entry, bool listed);
  void Leave(const std::string& thread, int64_t seq);
  void OnOpenersEvent(const protocol::Value& event, const std::string& ev);
  // Whether events of a thread may arrive after the user's removal, because another user added them again.
  bool BackIn(const std::string& thread) const;
  void OnOpened(const std::string& thread, const protocol::Value& ok);
  bool NoneIsForMe(const std::string& thread, int64_t above, int64_t below) const;
  void CheckIsForMe(const std::string& thread, const protocol::Value& message);
  void ReadPage(const std::string& thread, const std::string& before, int64_t above);

  void SetInbox(const std::string& thread, std::string_view field, const protocol::Writer& value);
  // Records the time of the first request; returns whether a repeat still returns its result.
  bool StillAnswered(int64_t* asked_ms) const;
  void Transmit(Send& send);
  void Transmit(Act& act);
  void Transmit(Opening& opening);
  void Transmit(Broadcast& broadcast);
  void PutFirstMessage(protocol::Writer& args, const std::string& client_id);
  void Ask(const std::string& client_id, const protocol::Writer& args, const std::string& pair);
  void AskToCreate(const std::string& client_id, const protocol::Writer& args, const std::string& pair);

  Evidence* evidence_;
  const protocol::Clock* clock_ = nullptr;  // the clock of its last process
  bool ready_ = false;
  bool resuming_ = false;
  bool open_only_ = false;
  std::map<std::string, Held> held_;
  std::string epoch_;

  // State of this session.
  std::set<std::string> opened_;
  std::map<std::string, size_t> opening_;  // requested, not answered
  size_t index_reads_ = 0;                 // requested, not answered: events wait for their replies
  struct EntryMoments {
    size_t sent = 0, listed = 0;  // the witness's moments of the last sent entry and of the last listed one
  };
  std::map<std::string, EntryMoments> entries_;  // by thread
  // Closed threads without an entry since → the seq up to which the device received them in full.
  std::map<std::string, int64_t> full_through_;
  size_t since_moment_ = 0;  // the witness's moment when the hello was answered
  struct Left {
    int64_t seq;  // the seq of the removal
    bool on_this_line;
    // Whether this session had the thread open, or received it in full: a user who is added again at once
    // still does.
    bool opened, in_full;
    bool reported = false;  // reported by the event, and not only by the hello
  };
  std::map<std::string, Left> left_;  // threads from which this user's removal was reported

  std::deque<Send> sends_;
  std::deque<Act> acts_;
  std::deque<Opening> openings_;
  std::deque<Broadcast> broadcasts_;
  struct Creation {
    std::string client_id;
    protocol::Writer args;
    int64_t asked_ms = 0;
    std::string pair;  // the users of a direct thread
  };
  std::vector<Creation> creates_;
  // clientId → the thread in its answer.
  std::map<std::string, std::string> created_;
  std::map<std::string, std::string> said_first_;  // clientId → body
  std::map<std::string, std::string> read_;
};

}  // namespace parley::sim
