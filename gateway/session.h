// A session: one WebSocket from its first frame to its last, as a plain state machine over a Connection.
//
//   Opening ──OnOpen──▶ Authenticating ──session.hello──▶ Resuming ──caught up──▶ Live
//      any state ──fault, close, drain──▶ Closing
//
// A peer that ends first is answered when everything it said is worked off and answered: whoever sends and
// closes in one breath, and sees a clean close, knows that nothing was lost. Where the connection breaks
// before that, what was heard is carried out all the same, and nobody hears the answers.
//
// Input is only decoded and queued in the transport's callback; a task on the loop handles it. Output goes
// out as shared frames; the bytes the transport holds are bounded: a client that does not read is closed with
// 4508 and resumes later.
//
// Thread contract: the loop's thread. Held by shared_ptr: answers that arrive after the end find a weak_ptr
// empty.
#pragma once

#include <list>
#include <memory>
#include <string>
#include <unordered_set>
#include <vector>

#include "fanout/hub.h"
#include "gateway/catch_up.h"
#include "gateway/net/transport.h"
#include "gateway/node.h"
#include "gateway/router.h"
#include "protocol/frame.h"

namespace parley::gateway {

struct SessionProbe;

class Session final : public fanout::Subscriber, public std::enable_shared_from_this<Session> {
 public:
  enum class State : uint8_t { kOpening, kAuthenticating, kResuming, kLive, kClosing };

  // `header_identity` is what the upgrade's Authorization header established, if it had one.
  Session(Lane& lane, SessionProbe& probe, protocol::Encoding encoding,
          std::optional<Identity> header_identity);
  ~Session() override;

  void OnOpen(Connection* connection);
  void OnFrame(std::string payload, bool binary);
  void OnPong();
  void OnWritable();
  void OnInputEnd();
  void OnTooSlow();
  void OnClosed();

  // Tells the client that the server goes away. The close itself comes with CloseWith, in waves.
  void AnnounceDrain();
  // The peer is told what its code means, or why this session was closed where that says more.
  enum class Reason : uint8_t { kOfCode, kAsSaid };
  void CloseWith(protocol::CloseCode code, std::string_view why, Reason reason = Reason::kOfCode);

  void Pump();  // handles what was heard, at Node's word

  State state() const { return state_; }
  bool idle() const { return in_flight_ == 0 && inbound_.empty(); }
  const std::string& id() const { return id_; }

  // fanout::Subscriber
  const protocol::TenantId& tenant() const override { return identity_->caller.tenant; }
  const protocol::UserId& user() const override { return *identity_->caller.user; }
  bool is_staff() const override { return identity_->caller.is_staff(); }
  void OnRun(fanout::LiveRun& run) override;
  void OnEntry(const fanout::EntryNotice& notice, fanout::SharedPayload& payload) override;
  void OnEphemeral(const protocol::ThreadId& thread, fanout::SharedPayload& payload) override;

 private:
  // Input.
  void SchedulePump();
  bool TakeNext();  // the oldest frame heard; false: the session closed over it
  void WorkOff();   // all of it, without a connection
  void AnswerEnd();
  // Nobody will read what is answered: the connection is gone, or its peer said goodbye and does not read.
  bool IsUnheard() const { return !connection_ || (input_ended_ && Unread(4)); }
  void Handle(protocol::Request request);
  void HandleFirst(const protocol::Request& request);
  void OpenAsStaff(protocol::Request request);
  void UpdateReading();
  bool Admit(const protocol::Request& request);  // false: closed for a bad id

  // The session's own ops.
  Answer Hello(const protocol::SessionHello::Args& args);
  void TakeIdentity(Identity identity);
  Answer Own(std::string_view op, const protocol::Value& args);
  Answer Run(const protocol::SessionPing::Args& args, const protocol::SessionPing*);
  Answer Run(const protocol::SessionRefresh::Args& args, const protocol::SessionRefresh*);
  Answer Run(const protocol::ThreadOpen::Args& args, const protocol::ThreadOpen*);
  Answer Run(const protocol::ThreadClose::Args& args, const protocol::ThreadClose*);
  Answer Run(const protocol::TypingSet::Args& args, const protocol::TypingSet*);
  Answer Run(const protocol::SessionHello::Args& args, const protocol::SessionHello*);

  // Output.
  void Finish(std::optional<uint32_t> id, Answer answer);
  void Forgo(std::optional<uint32_t> id);  // counted as answered
  void SendMsgpack(std::string msgpack);
  void SendFrame(const SharedFramePtr& frame);
  void SendEvent(const SharedFramePtr& frame);
  void SendEvent(std::string msgpack);
  SharedFramePtr Encode(std::string msgpack) const;

  // A read that waits for an index: what the session hears meanwhile waits behind the reply, which would not
  // contain it.
  void ReadIndex(protocol::Request request);
  void FinishIndexRead(std::optional<uint32_t> id, Answer answer);
  bool Unread(size_t part) const;  // more than 1/part of the outbox, what is held included
  void OnEvent(const protocol::ThreadId& thread, fanout::LiveEvent& event);
  bool CoversInFull(const protocol::ThreadId& thread) const;
  bool IsMember(const protocol::ThreadId& thread) const;  // as the rows say now
  // Of a thread that the user looks at as staff: whether they still may. Where not, they hear of it no more.
  bool MayLook(const protocol::ThreadId& thread);
  void LookAgain(const protocol::ThreadId& thread);  // over a resume, which is recorded first
  // No typing and presence of this thread any more.
  void StopListening(const protocol::ThreadId& thread);
  // The rows tell that the user is no longer a member of it, which live delivery may not have heard yet.
  void LeaveByRows(const protocol::ThreadId& thread);
  void StepCatchUp();

  // Time.
  void ArmHeartbeat();
  void OnHeartbeat();
  void ArmExpiry();
  void OnExpiry();

  // First what each delivery looks at, so that it lies together.
  Lane& lane_;
  Node& node_;
  Connection* connection_ = nullptr;
  const protocol::Encoding encoding_;
  State state_ = State::kOpening;
  protocol::DeliverMode deliver_ = protocol::DeliverMode::kAll;
  bool reading_index_ = false;
  bool authenticated_ = false;
  bool catch_up_posted_ = false;
  bool pump_posted_ = false;
  bool reading_paused_ = false;
  bool input_ended_ = false;  // the peer says no more
  bool expiry_announced_ = false;
  bool wants_mature_ = false;  // said so in its hello
  size_t held_bytes_ = 0;
  CatchUp catch_up_;

  SessionProbe& probe_;
  const std::string id_;
  std::optional<Identity> identity_;
  std::unordered_set<protocol::ThreadId> opened_;

  // Queues that are nearly always empty, so what an empty one holds counts ten thousandfold: a list holds
  // nothing, a deque half a KiB.
  std::list<std::pair<std::string, bool>> inbound_;
  size_t inbound_bytes_ = 0;
  size_t in_flight_ = 0;
  std::list<protocol::Request> index_reads_;  // wait for the one before
  std::vector<SharedFramePtr> held_;          // events that wait for its reply
  std::unordered_set<uint32_t> outstanding_;

  int64_t last_heard_ms_ = 0;
  std::unique_ptr<Timer> hello_timer_, heartbeat_, expiry_, catch_up_timer_;
};

// Counters of all sessions.
struct SessionProbe {
  explicit SessionProbe(protocol::Metrics& metrics);
  protocol::Counter opened, hellos, requests, errors, frames_in, resumed_threads;
  protocol::Counter ClosedFor(protocol::CloseCode code);

 private:
  std::vector<std::pair<protocol::CloseCode, protocol::Counter>> closed_;
};

}  // namespace parley::gateway
