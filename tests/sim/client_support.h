// A user's device in the simulation. It does what a careful client does: one outbox replayed in order with
// the same clientIds, a held seq per thread, resume after every loss of the line. And it judges what it is
// told: order, holes, repeats, silence after removal. Complaints are collected; any of them fails the run.
#pragma once

#include <deque>
#include <functional>
#include <map>
#include <memory>
#include <set>
#include <string>
#include <vector>

#include "protocol/writer.h"
#include "tests/sim/process_support.h"

namespace parley::sim {

// A card as the device was last told of it.
struct HeldCard {
  std::string type, state;
  int64_t version = 0;
};

// A card from the moment the user asked for it until the end of the run.
struct Opening {
  std::string thread, client_id, type, payload, expires_at;
  bool acknowledged = false;
  std::string message_id;
};

// An intent from the moment the user pressed the button until the end of the run.
struct Act {
  std::string thread, message, intent, client_id;
  int64_t version = 0;  // that the user saw
  bool acknowledged = false;
  std::string state;  // as answered
  int64_t to_version = 0;
};

// One message into the leg threads of an LBG, from the moment it was asked for until the end of the run.
struct Broadcast {
  std::string lbg, client_id, body;
  bool answered = false;
  std::map<std::string, std::string> sent;  // thread → messageId, as acknowledged
};

// One thread as the device knows it.
struct Held {
  int64_t seq = 0;    // last seq told
  int64_t since = 0;  // told of everything after this seq
  bool catching_up = false;
  // The line was lost while catching up: what was born before and changed after that point comes as an
  // update.
  bool interrupted = false;
  std::map<std::string, int64_t> items;       // item → its seq as told
  std::map<std::string, std::string> bodies;  // messageId → body as told
  std::map<std::string, int64_t> tabs;        // versions, as told
  int64_t panel_version = 0;
  std::map<std::string, HeldCard> cards;  // by messageId
};

// A send from the moment the user pressed the key until the end of the run.
struct Send {
  std::string thread, client_id, body;
  bool acknowledged = false;
  std::string message_id;
  int64_t seq = 0, msg_no = 0;
};

class Client {
 public:
  // `wins` is shared by all devices: which content was acknowledged as which version of a tab.
  Client(std::string user, bool json, std::vector<std::string>* complaints,
         std::map<std::string, std::string>* wins)
      : user_(std::move(user)), json_(json), complaints_(complaints), wins_(wins) {}

  // The line.
  void Connect(Process& process, bool resume);
  void Disconnect();
  void ProcessGone();  // the server died: the line is dead, nothing was said
  bool connected() const { return connection_ != nullptr; }
  bool ready() const { return ready_; }
  void ReadAll();  // takes what has arrived
  void set_reads_itself(bool on);

  // What a user does. Each is a request whose reply is judged when it comes.
  // `leg`: of an LBG and a leg, "lbg_1 leg_2"; empty: bound to nothing.
  void CreateThread(const std::string& seller, const std::vector<std::string>& others, bool with_message,
                    const std::string& leg, const std::string& client_id);
  void RepeatCreate(size_t which);  // one of those asked for before
  size_t creates() const { return creates_.size(); }
  void SendNext(const std::string& thread, const std::string& client_id, const std::string& body);
  void RetryUnacknowledged();
  void Edit(const std::string& thread, const std::string& message, const std::string& body);
  void Delete(const std::string& thread, const std::string& message);
  void MarkRead(const std::string& thread, const std::string& message);
  void Manage(const char* op, const std::string& thread, const std::string& other);
  void SetFlags(const std::string& thread, bool pinned, bool archived);
  void Label(const std::string& thread, const std::string& label);  // empty: none
  // Until then, or until the event (message, card, status); empty: the server's choice.
  void Snooze(const std::string& thread, protocol::Time until, std::string_view event);
  // Of the version it was told of. `content` names what is put.
  void PutTab(const std::string& thread, const std::string& tab, const std::string& content);
  void SendToLegs(const std::string& lbg, const std::string& client_id, const std::string& body);
  void Pin(const std::string& thread, const std::string& message, bool on);
  // Every folder's total against what the folder lists. Only while nothing moves.
  void CheckFolders();
  void Open(const std::string& thread);
  void ListInbox();
  void CreateCard(const std::string& thread, const std::string& type, const std::string& payload,
                  const std::string& client_id, const std::string& expires_at);
  void ActOn(const std::string& thread, const std::string& message, const std::string& intent,
             const std::string& client_id);
  void RetryActs();  // and openings, and broadcasts

  const std::string& user() const { return user_; }
  const std::map<std::string, Held>& held() const { return held_; }
  const std::deque<Send>& sends() const { return sends_; }
  const std::deque<Act>& acts() const { return acts_; }
  const std::deque<Opening>& openings() const { return openings_; }
  const std::deque<Broadcast>& broadcasts() const { return broadcasts_; }
  bool all_acknowledged() const;
  size_t outstanding() const { return waiting_.size(); }
  uint64_t heard() const { return heard_.value(); }  // of every frame that was read, in order

 private:
  using OnReply = std::function<void(const protocol::Value* ok, const std::string& code)>;
  void Request(const char* op, const protocol::Writer& args, OnReply done);
  void Take(const gateway_test::FakeConnection::Payload& payload);
  void OnEvent(const protocol::Value& event);
  void OnShared(const protocol::Value& event, const std::string& ev);
  void OnHello(const protocol::Value& ok);
  void Transmit(Send& send);
  void Transmit(Act& act);
  void Transmit(Opening& opening);
  void Transmit(Broadcast& broadcast);
  void OnTab(Held& held, const protocol::Value& item, const std::string& where);
  void AskToCreate(const std::string& client_id, const protocol::Writer& args);
  void Complain(const std::string& what) { complaints_->push_back(user_ + ": " + what); }

  const std::string user_;
  const bool json_;
  std::vector<std::string>* complaints_;
  std::map<std::string, std::string>* wins_;
  std::shared_ptr<gateway_test::FakeConnection> connection_;
  Digest heard_;
  bool ready_ = false;
  bool resuming_ = false;
  uint32_t next_id_ = 1;
  std::map<uint32_t, OnReply> waiting_;
  std::map<std::string, Held> held_;
  std::string epoch_;
  std::deque<Send> sends_;
  std::deque<Act> acts_;
  std::deque<Opening> openings_;
  std::deque<Broadcast> broadcasts_;
  std::vector<std::pair<std::string, protocol::Writer>> creates_;  // clientId, args
  // clientId → the thread it was answered with: the same for ever.
  std::map<std::string, std::string> created_;
};

}  // namespace parley::sim
