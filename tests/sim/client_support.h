// A user's device in the simulation. It does what a careful client does: one outbox replayed in order with
// the same clientIds, a held seq per thread, resume after every loss of the connection. And it judges what it
// is told: order, holes, repeats, silence after removal, entries and receipts. Complaints are collected; any
// of them fails the run.
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

// What all devices know together, and how much of it was judged.
struct Evidence {
  std::vector<std::string> complaints;
  // Thread, tab and version → the content acknowledged under it.
  std::map<std::string, std::string> wins;
  Bodies bodies;
  Witness witness;
  size_t entries = 0, receipts = 0, typings = 0;  // told and judged
  size_t filled = 0;    // items that came in the compact form, and were what their rows are once filled in
  size_t opened = 0;    // threads that a device hears in full because it opened them
  size_t silences = 0;  // threads that went on without a device that had been told of its removal
  std::map<std::string, std::string> directs;  // "usr_a usr_b" → the thread that was answered for the two
  std::set<std::string> sanctioned;            // whom moderators may have muted, shadowed or suspended
  bool HasPanel(const std::string& thread) const {
    const auto known = witness.threads().find(thread);
    return known != witness.threads().end() && known->second.facts.head->Text("kind") == "project";
  }
};

// A card as the device was last told of it.
struct HeldCard {
  std::string type, state;
  int64_t version = 0;
};

// How long a repeat is answered like the first request; a careful client repeats nothing later, except what
// it does not know the outcome of.
inline constexpr int64_t kAnsweredMs = int64_t{24} * 3600 * 1000;

// A card from the moment the user asked for it until the end of the run.
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
  std::string state;  // as answered
  int64_t to_version = 0;
};

// One message to the leg threads of an LBG, from the moment it was requested until the end of the run.
struct Broadcast {
  std::string lbg, client_id, body;
  bool answered = false;
  std::map<std::string, std::string> sent;  // thread → messageId, as acknowledged
  int64_t asked_ms = 0;
};

// One thread as the device knows it.
struct Held {
  int64_t seq = 0;    // last seq told
  int64_t since = 0;  // told of everything after this seq
  bool catching_up = false;
  // The connection was lost during catch-up: what was created before that point and changed after it comes as
  // an update.
  bool interrupted = false;
  std::map<std::string, int64_t> items;       // item → its seq as told
  std::map<std::string, std::string> bodies;  // messageId → body as told
  std::map<std::string, int64_t> tabs;        // versions, as told
  int64_t panel_version = 0;
  std::map<std::string, HeldCard> cards;  // by messageId
  // Messages that say what came of a report, and the report that they name: during catch-up a report that
  // was redacted since comes after it.
  std::vector<std::pair<std::string, std::string>> outcomes;
  std::set<std::string> left;                // users that were removed, as told
  std::map<std::string, std::string> reads;  // user → lastReadMsgId as told by receipts
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

  // The connection. `open_only`: under `deliver: open`, which a fresh device may choose anew.
  void Connect(Process& process, size_t io, bool resume, bool open_only);
  bool ready() const { return ready_; }
  bool open_only() const { return open_only_; }

  // What a user does. Each is a request whose reply is judged when it comes. `leg`: of an LBG and a leg,
  // "lbg_1 leg_2"; empty: bound to nothing.
  void CreateThread(const std::string& seller, const std::vector<std::string>& others, bool with_message,
                    const std::string& leg, const std::string& client_id);
  void CreateDirect(const std::string& other, bool with_message, const std::string& client_id);
  void CreateGroup(const std::vector<std::string>& others, bool with_message, const std::string& client_id);
  void RepeatCreate(size_t which);  // one of those asked for before
  size_t creates() const { return creates_.size(); }
  void SendNext(const std::string& thread, const std::string& client_id, const std::string& body);
  void RetryUnacknowledged();
  void RepeatSends();  // the last that were acknowledged, as if the answers had been lost
  void Edit(const std::string& thread, const std::string& message, const std::string& body);
  void Delete(const std::string& thread, const std::string& message);
  void MarkRead(const std::string& thread, const std::string& message);
  void Manage(const char* op, const std::string& thread, const std::string& other);
  void SetFlags(const std::string& thread, bool pinned, bool archived);
  void Mute(const std::string& thread, bool on, const std::string& until);  // empty: for ever
  void Label(const std::string& thread, const std::string& label);          // empty: none
  // Until then, or until the event (message, card, status); empty: the server's choice.
  void Snooze(const std::string& thread, protocol::Time until, std::string_view event);
  void Type(const std::string& thread, bool typing);
  // Based on the version that it was told. `content` names what is put.
  void PutTab(const std::string& thread, const std::string& tab, const std::string& content);
  void SendToLegs(const std::string& lbg, const std::string& client_id, const std::string& body);
  void Pin(const std::string& thread, const std::string& message, bool on);
  void React(const std::string& thread, const std::string& message, const std::string& emoji, bool on);
  // Checks every folder's total against what the folder lists. Only while nothing changes.
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
  // Threads that it knows of without holding them: by their entries.
  std::vector<std::string> KnownThreads() const;
  const std::deque<Send>& sends() const { return sends_; }
  // First messages of creations: body → the thread in which it was acknowledged, "" if it was not.
  std::map<std::string, std::string> FirstMessages() const;
  const std::deque<Act>& acts() const { return acts_; }
  const std::deque<Opening>& openings() const { return openings_; }
  const std::deque<Broadcast>& broadcasts() const { return broadcasts_; }
  // Thread → the newest read cursor of this user that was acknowledged.
  const std::map<std::string, std::string>& read() const { return read_; }
  bool all_acknowledged() const;

  // At rest: everything arrived that a session under `deliver: open` had to be told of threads that it has
  // not opened.
  void CheckEntries();
  // How many threads that it left, as told on this connection, continued without it.
  size_t Silences() const;

 private:
  void OnEvent(const protocol::Value& event) override;
  void OnLineLost() override;
  void OnReceived(std::string_view bytes) override;
  void OnClosed(uint16_t code) override;
  // Whether the refusal is that of a moderator.
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
  // Whether the device may hear again of a thread that this user has left, as told: somebody added them
  // again.
  bool BackIn(const std::string& thread) const;
  void OnOpened(const std::string& thread, const protocol::Value& ok);
  bool NoneIsForMe(const std::string& thread, int64_t above, int64_t below) const;
  void CheckIsForMe(const std::string& thread, const protocol::Value& message);
  void ReadPage(const std::string& thread, const std::string& before, int64_t above);

  void SetInbox(const std::string& thread, std::string_view field, const protocol::Writer& value);
  // Records when something was first requested; whether a repeat is still answered like that request.
  bool StillAnswered(int64_t* asked_ms) const;
  void Transmit(Send& send);
  void Transmit(Act& act);
  void Transmit(Opening& opening);
  void Transmit(Broadcast& broadcast);
  void PutFirstMessage(protocol::Writer& args, const std::string& client_id);
  void Ask(const std::string& client_id, const protocol::Writer& args, const std::string& pair);
  void AskToCreate(const std::string& client_id, const protocol::Writer& args, const std::string& pair);

  Evidence* evidence_;
  const protocol::Clock* clock_ = nullptr;  // of the last process it spoke to
  bool ready_ = false;
  bool resuming_ = false;
  bool open_only_ = false;
  std::map<std::string, Held> held_;
  std::string epoch_;

  // Of this session.
  std::set<std::string> opened_;
  std::map<std::string, size_t> opening_;  // asked for and not answered
  size_t index_reads_ = 0;                 // asked for and not answered: events wait behind their replies
  struct Told {
    size_t told = 0, listed = 0;  // the witness' moments of the last entry told, and of the last listed
  };
  std::map<std::string, Told> entries_;  // by thread
  // Threads that it closed, up to which seq it had heard them in full, and of which no entry came since.
  std::map<std::string, int64_t> heard_out_;
  size_t since_moment_ = 0;  // what the witness had seen when the hello was answered
  struct Left {
    int64_t seq;  // of the removal
    bool on_this_line;
    // It was, in this session, or was heard in full: a user who is added again at once continues to hear it.
    bool opened, in_full;
    bool told = false;  // by the event, and not by the hello alone
  };
  std::map<std::string, Left> left_;  // threads that this user was removed from, as told

  std::deque<Send> sends_;
  std::deque<Act> acts_;
  std::deque<Opening> openings_;
  std::deque<Broadcast> broadcasts_;
  struct Creation {
    std::string client_id;
    protocol::Writer args;
    int64_t asked_ms = 0;
    std::string pair;  // of a direct thread
  };
  std::vector<Creation> creates_;
  // clientId → the thread in its answer.
  std::map<std::string, std::string> created_;
  std::map<std::string, std::string> said_first_;  // clientId → body
  std::map<std::string, std::string> read_;
};

}  // namespace parley::sim
