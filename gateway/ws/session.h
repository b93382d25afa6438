// A session: one WebSocket from its first frame to its last, as a plain state machine over a Connection.
//
//   Opening ──OnOpen──▶ Authenticating ──session.hello──▶ Resuming ──caught up──▶ Live
//      any state ──fault, close, drain──▶ Closing
//
// A peer that ends first is answered when everything it said is worked off and answered: whoever sends and
// closes in one breath, and sees a clean close, knows that nothing was lost. Where the connection breaks
// before that, what was heard is carried out all the same, and nobody hears the answers.
//
// A read that has to wait, for an index or for the disk, has the session's turn: one at a time. Reads that
// come behind one from the disk wait for it, since its answer would be older than theirs; writes go on. What
// is delivered meanwhile is held and heard behind the answer, as if it came only then: so a reply contains
// everything that was delivered before it, and what it changes (a thread that is open now, a thread that is
// caught up) holds for all that comes behind.
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
#include "gateway/app/config.h"
#include "gateway/app/missed_pages.h"
#include "gateway/app/node.h"
#include "gateway/app/revocation.h"
#include "gateway/net/transport.h"
#include "gateway/ops/router.h"
#include "gateway/ws/catch_up.h"
#include "protocol/base/clock.h"
#include "protocol/base/sure.h"
#include "protocol/frame.h"

namespace parley::gateway {

struct SessionProbe;

class Session final : public fanout::Subscriber,
                      public ColdReads,
                      public Pumped,
                      public std::enable_shared_from_this<Session> {
 public:
  enum class State : uint8_t { kOpening, kAuthenticating, kResuming, kLive, kClosing };

  // What the upgrade said of who comes: the credential of its Authorization header, and of which page's
  // origin it is, if not of our own; both may be empty.
  struct Visitor {
    std::string credential = {};
    std::string origin = {};
  };
  Session(IoThread& io, SessionProbe& probe, protocol::Encoding encoding, Visitor visitor);
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

  void Pump() override;

  // Closes with the code that it names, if it is about this session.
  void OnRevoked(const Revocation& revocation);

  State state() const { return state_; }
  bool idle() const { return in_flight_ == 0 && inbound_.empty(); }
  const std::string& id() const { return id_; }

  // fanout::Subscriber
  const protocol::TenantId& tenant() const override { return who().caller.tenant; }
  const protocol::UserId& user() const override { return protocol::Sure(who().caller.user); }
  bool is_staff() const override { return who().caller.is_staff(); }
  bool follows_inbox() const override { return deliver_ == protocol::DeliverMode::kOpen; }
  void OnRun(fanout::LiveRun& run) override;
  void OnEntry(const fanout::EntryNotice& notice, fanout::SharedPayload& payload) override;
  void OnNotice(fanout::SharedPayload& payload) override;
  void OnEphemeral(const protocol::ThreadId& thread, fanout::SharedPayload& payload) override;

 private:
  // What an answer needs of its request. Without an id nothing is answered, but it is counted all the same.
  struct Ticket {
    std::optional<uint32_t> id;
    OpMeter::Mark mark;
    const protocol::CompactShape* pages = nullptr;  // of the op (OpInfo)
  };
  struct Asked : protocol::Request {
    const OpInfo* info = nullptr;  // nullptr: there is no such op
    OpMeter::Mark mark;
    Ticket ticket() const { return {id, mark, info ? info->pages : nullptr}; }
  };

  // Input.
  void SchedulePump();
  bool TakeNext();  // the oldest frame heard; false: the session closed over it
  void WorkOff();   // all of it, without a connection
  void WindUp();
  void AnswerEnd();
  // Nobody will read what is answered: the connection is gone, or its peer said goodbye and does not read.
  bool IsUnheard() const { return !connection_ || (input_ended_ && Unread(4)); }
  void Handle(Asked request);
  void HandleFirst(const Asked& request);
  void Refuse(const Ticket& ticket, const protocol::Error& error);  // and closes
  using Hello = std::shared_ptr<const protocol::SessionHello::Args>;
  void Judge(const Ticket& ticket, const Hello& hello);
  void OnJudged(const Ticket& ticket, const Hello& hello, protocol::Result<Identity> judged);
  void OnJudgedUnheard(protocol::Result<Identity> judged);
  void Begin(const Ticket& ticket, const Hello& hello);
  void Welcome(const Ticket& ticket, const Hello& hello, CatchUp::Judgement judgement);
  void OpenAsStaff(Asked request);
  void UpdateReading();
  bool Admit(const Asked& request);  // false: closed for a bad id

  // Limits (session_limits.cc).
  // Kept here, since finding the buckets at each request would cost more than the request.
  struct Charged {
    accounts::Requester requester;
    accounts::TokenBucket own, refusals;
    int64_t wait_until_ms = 0;  // as the last refusal said
  };
  std::optional<protocol::Error> Charge(std::string_view op);  // RATE_LIMITED, or nothing
  void RefuseUnlessRepeat(const Asked& request, const OpInfo& op, const protocol::Value& args,
                          protocol::Error refusal);
  Done Charging(std::string_view op, Done done);     // for what its answer costs
  void NoteRefused(const protocol::Error& refusal);  // too often, and the session is closed
  protocol::Status RequireRoom();

  // The session's own ops.
  std::string HelloReply(protocol::Dictionary<protocol::ResumeVerdict> resumed) const;
  Knock KnockWith(const std::string& credential) const;
  void Refresh(Identity identity, const Done& done);
  void TakeIdentity(Identity identity);
  void Own(std::string_view op, const protocol::Value& args, const Done& done);
  void Run(const protocol::SessionPing::Args& args, const Done& done, const protocol::SessionPing*);
  void Run(const protocol::SessionRefresh::Args& args, const Done& done, const protocol::SessionRefresh*);
  void Run(const protocol::ThreadOpen::Args& args, const Done& done, const protocol::ThreadOpen*);
  void Run(const protocol::ThreadClose::Args& args, const Done& done, const protocol::ThreadClose*);
  void Run(const protocol::TypingSet::Args& args, const Done& done, const protocol::TypingSet*);
  void Run(const protocol::SessionHello::Args& args, const Done& done, const protocol::SessionHello*);
  protocol::Status PlaceFor(const protocol::ThreadId& thread) const;
  struct Opened;
  void LeaveWhatIsOthers(std::function<void(protocol::Status)> then);
  void WithStanding(const protocol::ThreadId& thread,
                    std::function<void(protocol::Result<threads::Standing>)> then);
  Answer FinishOpen(const protocol::ThreadId& thread, protocol::Result<Opened> opened);

  // Output.
  void Finish(const Ticket& ticket, Answer answer);
  void Forgo(const Ticket& ticket);  // counted as answered
  void LogOp(const OpMeter::Mark& mark, const Answer& answer, const std::string& corr_id) const;
  void SendMsgpack(std::string msgpack);
  void SendOk(uint32_t id, std::string ok);
  void SendFrame(const SharedFramePtr& frame);
  void SendLive(const SharedFramePtr& frame);
  void TellOwn(const SharedFramePtr& frame);  // of catch-up
  SharedFramePtr Encode(std::string msgpack) const;
  fanout::Form form() const { return {encoding_, compact_}; }

  // Reads that wait (session_reads.cc).
  ReadRoad road() { return {weak_from_this(), false}; }
  Done Finisher(const Ticket& ticket);
  void ReadCold(std::function<void(const storage::Reader&)> read, std::function<void()> then,
                const ReadRoad& road) override;
  bool MustWait() const override { return cold_reads_ > 0; }
  bool ReadFromMemory(const ReadJob& job);
  void SubmitRead(ReadJob job);
  void ReadIndex(Asked request);
  void InTurn(std::function<void()> begin);  // at once, or when those before have ended
  void BeginTurns();
  void EndTurn(const std::function<void()>& finish);
  void GiveUpReads();

  // What is delivered.
  struct Heard {
    enum class Kind : uint8_t { kEvent, kEntry, kEphemeral, kOwn };
    Kind kind;
    bool announced = false;    // kEntry
    bool own_removal = false;  // kEvent
    int64_t seq = 0;           // kEvent
    protocol::ThreadId thread;
    SharedFramePtr frame;
  };
  void Hold(Heard heard);
  void Hear(const Heard& heard);
  bool MayBeNews(const protocol::ThreadId& thread, int64_t seq) const;
  bool IsNews(const protocol::ThreadId& thread, int64_t seq, bool own_removal);
  bool Unread(size_t part) const;  // more than 1/part of the outbox, what is held included
  bool CoversInFull(const protocol::ThreadId& thread) const;
  bool IsMember(const protocol::ThreadId& thread) const;  // as the rows say now
  // Of a thread that the user looks at as staff: whether they still may. Where not, they hear of it no more.
  bool MayLook(const protocol::ThreadId& thread, bool* masked);
  bool MayHear(const protocol::ThreadId& thread);
  void LookAgain(const protocol::ThreadId& thread);  // over a resume, which is recorded first
  // No typing and presence of this thread any more.
  void StopListening(const protocol::ThreadId& thread);
  void NoteTyping(const protocol::ThreadId& thread, bool typing);
  // The rows tell that the user is no longer a member of it, which live delivery may not have heard yet.
  void LeaveByRows(const protocol::ThreadId& thread);
  void StepCatchUp();
  void ReadCatchUp();
  MissedPages::Key MissedKey() const;
  void TellCatchUp(const protocol::Result<CatchUp::Page>& page,
                   const std::shared_ptr<const MissedPages::Page>& known);
  void TellShared(const CatchUp::Page& page);
  void TellPage(const CatchUp::Page& page, const CatchUp::Send& send);

  // Time.
  void ArmHeartbeat();
  void OnHeartbeat();
  void ArmExpiry();
  void OnExpiry();
  bool HasExpired() const;
  void CloseExpired();

  // Once they said hello.
  const Identity& who() const { return protocol::Sure(identity_); }
  const protocol::Clock& clock() const { return node_.clock(); }
  const Config& config() const { return node_.config(); }

  // There are ten thousand of these: what is not held counts (P7 in docs/performance.md).
  // First what each delivery looks at, so that it lies together.
  IoThread& io_;
  Node& node_;
  Connection* connection_ = nullptr;
  const protocol::Encoding encoding_;
  State state_ = State::kOpening;
  protocol::DeliverMode deliver_ = protocol::DeliverMode::kAll;
  bool compact_ = false;     // reads items without what it can fill in
  bool turn_taken_ = false;  // a read that waits is under way
  bool turns_begin_ = false;
  bool deaf_ = false;      // what is delivered waits for its answer
  bool greeting_ = false;  // said hello, which is not answered yet
  bool judging_ = false;   // and who it is is not known yet
  bool winding_up_ = false;
  bool authenticated_ = false;
  bool catch_up_posted_ = false;
  bool pump_posted_ = false;
  bool reading_paused_ = false;
  bool input_ended_ = false;  // the peer says no more
  bool expiry_announced_ = false;
  bool wants_mature_ = false;  // said so in its hello
  size_t held_bytes_ = 0;
  uint32_t in_flight_ = 0;
  uint32_t cold_reads_ = 0;  // asked for and not answered
  CatchUp catch_up_;

  SessionProbe& probe_;
  const std::string id_;
  Visitor visitor_;
  std::optional<Identity> identity_;
  std::unique_ptr<Charged> charged_;  // from the first request on, where there are limits
  uint64_t judged_at_ = 0;            // I/O thread::revocations, when it began
  std::unordered_set<protocol::ThreadId> opened_;
  std::vector<protocol::ThreadId> types_in_;  // ends with the session; the latest last

  // Queues that are nearly always empty, so what an empty one holds counts ten thousandfold: a list holds
  // nothing, a deque half a KiB.
  std::list<std::pair<std::string, bool>> inbound_;
  size_t inbound_bytes_ = 0;
  std::list<std::function<void()>> turns_;   // reads that wait for the one before
  std::shared_ptr<std::atomic<bool>> over_;  // set when the connection is gone; made with the first job
  std::vector<Heard> held_;                  // waits for its answer
  std::vector<protocol::ThreadId> opening_;  // asked for and not answered
  std::unordered_set<uint32_t> outstanding_;

  int64_t last_heard_ms_ = 0;
  std::unique_ptr<Timer> hello_timer_, heartbeat_, expiry_, catch_up_timer_, read_timer_;
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
