// A session: one WebSocket from its first frame to its last, as a plain state machine over a Connection.
//
//   Opening ──OnOpen──▶ Authenticating ──session.hello──▶ Resuming ──caught up──▶ Live
//      any state ──fault, close, drain──▶ Closing
//
// If the peer closes first, its pending requests are carried out and answered before the close is answered: a
// client that sends, closes at once and sees a clean close knows that nothing was lost. If the connection
// breaks before that, received requests are still carried out, without answers.
//
// Reads that wait, for an index or for the disk, take turns: one at a time. Reads that arrive after one from
// the disk wait for it, since its answer would otherwise be older than theirs; writes do not wait. Events
// delivered during such a read are held and handled after its answer, as if they came only then: so a reply
// contains everything delivered before it, and its effects (an opened thread, a thread that is caught up)
// apply to everything after it.
//
// The transport's callback only queues input; a task on the loop decodes and handles it. Output leaves as
// shared frames. The transport's queue is bounded: a client that does not read is closed with 4508 and
// resumes later.
//
// Thread contract: the loop's thread. Owned by shared_ptr: answers that arrive after the end find an expired
// weak_ptr.
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
#include "gateway/ws/session_core.h"
#include "protocol/base/clock.h"
#include "protocol/base/sure.h"
#include "protocol/frame.h"

namespace parley::gateway {

class Session final : public fanout::Subscriber,
                      public ColdReads,
                      public Pumped,
                      public std::enable_shared_from_this<Session> {
 public:
  enum class State : uint8_t { kOpening, kAuthenticating, kResuming, kLive, kClosing };

  // The client as the upgrade describes it: the credential of the Authorization header, and the origin of the
  // page if it is foreign. Both may be empty.
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

  // Announces to the client that the server stops. CloseWith closes the sessions later, in waves.
  void AnnounceDrain();
  // Selects the reason in the close frame: the text of the code, or `why` if it is more specific.
  enum class Reason : uint8_t { kOfCode, kAsSaid };
  void CloseWith(protocol::CloseCode code, std::string_view why, Reason reason = Reason::kOfCode);

  void Pump() override;

  // Closes the session with the revocation's code, if it applies.
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
  // The data that the answer to a request needs. A request without an id gets no answer, but is counted.
  struct Ticket {
    std::optional<uint32_t> id;
    OpMeter::Mark mark;
    const protocol::CompactShape* pages = nullptr;  // the op's (OpInfo)
    threads::TracePtr trace = {};
  };
  struct Asked : protocol::Request {
    const OpInfo* info = nullptr;  // nullptr: unknown op
    OpMeter::Mark mark;
    threads::TracePtr trace;
    Ticket ticket() const { return {id, mark, info ? info->pages : nullptr, trace}; }
  };

  // Input.
  void SchedulePump();
  bool TakeNext();  // handles the oldest frame; false: the session closed over it
  void WorkOff();   // handles all frames, without a connection
  void WindUp();
  void AnswerEnd();
  // Returns true if an answer would not be read: the connection is gone, or its peer has closed and does not
  // read.
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
  // Cached here, since finding the buckets for each request would cost more than the request.
  struct Charged {
    accounts::Requester requester;
    accounts::TokenBucket own, refusals;
    int64_t wait_until_ms = 0;  // from the last refusal
  };
  std::optional<protocol::Error> Charge(std::string_view op);  // RATE_LIMITED, or nullopt
  void RefuseUnlessRepeat(const Asked& request, const OpInfo& op, const protocol::Value& args,
                          protocol::Error refusal);
  Done Charging(std::string_view op, Done done);     // charges the cost of the answer
  void NoteRefused(const protocol::Error& refusal);  // closes the session after too many
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
  void Forgo(const Ticket& ticket);  // counts it as answered

  // Log lines about a request (session_log.cc).
  threads::TracePtr BeginTrace(const Asked& request, size_t bytes) const;
  static void LogAnswered(const threads::Trace& trace, const Answer& answer);
  void LogOp(const OpMeter::Mark& mark, const Answer& answer, const std::string& corr_id) const;
  void SendMsgpack(std::string msgpack);
  void SendOk(uint32_t id, std::string ok);
  void SendFrame(const SharedFramePtr& frame);
  void SendLive(const SharedFramePtr& frame);
  void TellOwn(const SharedFramePtr& frame);  // sends an event of catch-up
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
  void InTurn(std::function<void()> begin);  // at once, or when earlier reads have ended
  void BeginTurns();
  void EndTurn(const std::function<void()>& finish);
  void GiveUpReads();

  // A delivered event, held until the answer of a read.
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
  bool Unread(size_t part) const;  // more than 1/part of the outbox is used, including held events
  bool CoversInFull(const protocol::ThreadId& thread) const;
  bool IsMember(const protocol::ThreadId& thread) const;  // according to the rows
  // Returns true if the user may still look at the thread as staff; otherwise stops delivering it.
  bool MayLook(const protocol::ThreadId& thread, bool* masked);
  bool MayHear(const protocol::ThreadId& thread);
  void LookAgain(const protocol::ThreadId& thread);  // resumes a look, which is recorded first
  // Stops typing and presence of this thread.
  void StopListening(const protocol::ThreadId& thread);
  void NoteTyping(const protocol::ThreadId& thread, bool typing);
  // The rows show that the user is no longer a member, which live delivery may not know yet.
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

  // Set after the hello.
  const Identity& who() const { return protocol::Sure(identity_); }
  const protocol::Clock& clock() const { return node_.clock(); }
  const Config& config() const { return node_.config(); }

  // There are ten thousand sessions, so every byte counts (P7 in docs/performance.md). The members that each
  // delivery reads come first, so that they are adjacent.
  IoThread& io_;
  Node& node_;
  Connection* connection_ = nullptr;
  const protocol::Encoding encoding_;
  State state_ = State::kOpening;
  protocol::DeliverMode deliver_ = protocol::DeliverMode::kAll;
  bool compact_ = false;     // omits from items the fields that the client can derive
  bool turn_taken_ = false;  // a read that waits is under way
  bool turns_begin_ = false;
  bool deaf_ = false;      // delivered events are held until the answer
  bool greeting_ = false;  // session.hello was received and not answered yet
  bool judging_ = false;   // the credential is being judged
  bool winding_up_ = false;
  bool authenticated_ = false;
  bool catch_up_posted_ = false;
  bool pump_posted_ = false;
  bool reading_paused_ = false;
  bool input_ended_ = false;  // the peer sends no more
  bool expiry_announced_ = false;
  bool wants_mature_ = false;  // the hello asked for mature content
  size_t held_bytes_ = 0;
  uint32_t in_flight_ = 0;
  uint32_t cold_reads_ = 0;  // cold reads under way
  CatchUp catch_up_;

  SessionProbe& probe_;
  const std::string id_;
  Visitor visitor_;
  std::optional<Identity> identity_;
  std::unique_ptr<Charged> charged_;  // from the first request on, if limits apply
  uint64_t judged_at_ = 0;            // IoThread::revocations when judging began
  std::unordered_set<protocol::ThreadId> opened_;
  std::vector<protocol::ThreadId> types_in_;  // typing stops with the session; the latest is last

  // These queues are nearly always empty, and an empty list takes no memory while an empty deque takes half a
  // KiB.
  std::list<std::pair<std::string, bool>> inbound_;
  size_t inbound_bytes_ = 0;
  std::list<std::function<void()>> turns_;   // reads that wait for the one before
  std::shared_ptr<std::atomic<bool>> over_;  // set when the connection is gone; created with the first job
  std::vector<Heard> held_;                  // held until the answer
  std::vector<protocol::ThreadId> opening_;  // threads whose thread.open is unanswered
  std::unordered_set<uint32_t> outstanding_;

  int64_t last_heard_ms_ = 0;
  std::unique_ptr<Timer> hello_timer_, heartbeat_, expiry_, catch_up_timer_, read_timer_;
};

}  // namespace parley::gateway
