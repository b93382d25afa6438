// The session's reads that may wait for an index or for the disk, catch-up, and live delivery, which is held
// during them.
#include <algorithm>

#include "features/host/access.h"
#include "features/host/cold_reads.h"
#include "gateway/ws/session.h"
#include "protocol/base/sure.h"
#include "protocol/compact.h"
#include "storage/guarded_reader.h"
#include "threads/lifecycle/view.h"

namespace parley::gateway {
namespace {

using protocol::CloseCode;
using protocol::EventKind;

constexpr int64_t kSessionReadRetryMs = 200;  // if the readers' budget is used up, or too many reads wait
const protocol::Value kNoReadArgs{protocol::Map{}};

SharedFramePtr SessionAsFrame(const fanout::FramePtr& frame) {
  return std::static_pointer_cast<const SharedFrame>(frame);
}

}  // namespace

// --- turns

// Only one read begins here at a time, however many end together, so that they do not nest.
void Session::InTurn(std::function<void()> begin) {
  turns_.push_back(std::move(begin));
  BeginTurns();
}

void Session::BeginTurns() {
  if (turns_begin_) return;
  turns_begin_ = true;
  while (!turn_taken_ && !turns_.empty() && state_ != State::kClosing) {
    if (Unread(4) && !input_ended_) break;  // the next answer waits until OnWritable
    const std::function<void()> begin = std::move(turns_.front());
    turns_.pop_front();
    turn_taken_ = deaf_ = true;
    begin();
  }
  turns_begin_ = false;
}

void Session::EndTurn(const std::function<void()>& finish) {
  deaf_ = false;
  finish();
  held_bytes_ = 0;
  for (const Heard& heard : std::exchange(held_, {})) Hear(heard);
  turn_taken_ = false;
  if (state_ == State::kResuming) StepCatchUp();
  BeginTurns();
}

// Waits for the op's index, then reads.
void Session::ReadIndex(Asked request) {
  InTurn([this, held = std::make_shared<const Asked>(std::move(request))] {
    const protocol::Value& args = held->args && !held->args->is_null() ? *held->args : kNoReadArgs;
    Route(
        io_, held->op, who().caller, args, {weak_from_this(), true},
        [weak = weak_from_this(), ticket = held->ticket()](Answer answer) {
          if (const auto self = weak.lock()) self->EndTurn([&] { self->Finish(ticket, std::move(answer)); });
        },
        held->trace);
  });
}

void Session::ReadCold(std::function<void(const storage::Reader&)> read, std::function<void()> then,
                       const ReadRoad& road) {
  if (!connection_) return;
  const bool has_turn = road.has_turn;
  if (!over_) over_ = std::make_shared<std::atomic<bool>>(false);
  ReadJob job{std::move(read), std::move(then), &io_.loop(), over_,
              identity_ ? tenant().ToText() : std::string()};
  ++cold_reads_;
  job.finish = [weak = weak_from_this(), has_turn, finish = std::move(job.finish)] {
    const auto self = weak.lock();
    if (!self) return;
    --self->cold_reads_;
    has_turn ? finish() : self->EndTurn(finish);
  };
  if (has_turn) return SubmitRead(std::move(job));
  const bool at_once = !turn_taken_;
  InTurn([this, at_once, job = std::move(job)] {
    if (at_once || !ReadFromMemory(job)) SubmitRead(job);
  });
}

// Reads that waited for a turn may find their rows in memory by now.
bool Session::ReadFromMemory(const ReadJob& job) {
  const auto view = io_.View();
  const storage::MemoryAttempt attempt(*view, IoThread::kBytesOnLoop);
  job.read(attempt);
  if (attempt.missed()) return false;
  node_.read_pool().CountFromMemory();
  job.finish();
  return true;
}

// If too many reads wait, a session's read retries instead of failing.
void Session::SubmitRead(ReadJob job) {
  if (io_.MakeRoom() && node_.read_pool().Submit(job)) return;
  read_timer_ = io_.loop().CallAfter(kSessionReadRetryMs, [weak = weak_from_this(), job = std::move(job)] {
    if (const auto self = weak.lock()) self->SubmitRead(job);
  });
}

void Session::GiveUpReads() {
  if (over_) over_->store(true, std::memory_order_relaxed);
  read_timer_.reset();
  turns_.clear();
  held_.clear();
}

// --- catch-up

// Sends one page at a time, and only while the client reads: catch-up itself never overflows the outbox.
void Session::StepCatchUp() {
  if (catch_up_posted_ || state_ != State::kResuming || !connection_ || catch_up_.waits()) return;
  if (Unread(8)) return;  // OnWritable continues
  if (!io_.MakeRoom()) {
    catch_up_timer_ = io_.loop().CallAfter(kSessionReadRetryMs, [weak = weak_from_this()] {
      if (auto self = weak.lock()) self->StepCatchUp();
    });
    return;
  }
  catch_up_posted_ = true;
  io_.loop().Post([weak = weak_from_this()] {
    if (auto self = weak.lock()) self->ReadCatchUp();
  });
}

// Looks for the frames that an earlier member got: as long as the thread has not changed, they are the same.
void Session::ReadCatchUp() {
  if (state_ != State::kResuming || catch_up_.waits()) return;
  std::shared_ptr<const MissedPages::Page> known;
  if (catch_up_.begins()) known = io_.missed_pages().Find(MissedKey());
  ReadAnywhere<CatchUp::Page>(
      io_, road(),
      [&node = std::as_const(node_), caller = who().caller, place = catch_up_.NextPage(),
       version = known ? known->head_version : 0](const storage::Reader& reader) {
        return CatchUp::ReadPage(node.ContextOf(reader, caller), place, version);
      },
      [weak = weak_from_this(), known](const protocol::Result<CatchUp::Page>& page) {
        if (auto self = weak.lock()) self->TellCatchUp(page, known);
      });
}

MissedPages::Key Session::MissedKey() const {
  const CatchUp::Place place = catch_up_.NextPage();
  return {tenant(), place.thread, place.through, form()};
}

void Session::TellCatchUp(const protocol::Result<CatchUp::Page>& page,
                          const std::shared_ptr<const MissedPages::Page>& known) {
  catch_up_posted_ = false;
  if (state_ != State::kResuming) return;
  if (!page.ok()) return CloseWith(CloseCode::kInternal, "catch-up failed");
  if (page->known) {
    io_.missed_pages().CountShared();
    TellOwn(known->frames);
    catch_up_.NoteTold(known->through);
  } else if (page->is_shared() && catch_up_.begins()) {
    TellShared(*page);
  } else {
    TellPage(*page, [this](std::string event) {
      TellOwn(Encode(std::move(event)));
      return state_ == State::kResuming && !Unread(8);
    });
  }
  if (state_ != State::kResuming) return;
  if (catch_up_.done()) {
    state_ = State::kLive;
  } else {
    StepCatchUp();
  }
}

// Sends the page as one piece, and keeps it for later members.
void Session::TellShared(const CatchUp::Page& page) {
  const MissedPages::Key key = MissedKey();
  const bool json = encoding_ == protocol::Encoding::kJson;
  std::vector<std::string> payloads;
  TellPage(page, [&](std::string event) {
    payloads.push_back(json ? protocol::MsgpackToJson(event) : std::move(event));
    return true;
  });
  const SharedFramePtr frames = MakeFrames(payloads.data(), payloads.size(), !json, node_.readers());
  io_.missed_pages().Put(key, {protocol::Sure(page.head).row_version, page.changes.through, frames});
  TellOwn(frames);
}

void Session::TellPage(const CatchUp::Page& page, const CatchUp::Send& send) {
  catch_up_.Tell(who().caller, clock().Now(), page,
                 compact_ ? protocol::CompactSharedEvent : protocol::SharedEvent, send,
                 [&](const protocol::ThreadId& thread) { LeaveByRows(thread); });
}

// --- live delivery

void Session::TellOwn(const SharedFramePtr& frame) {
  if (!connection_ || state_ == State::kClosing) return;
  if (deaf_) return Hold({Heard::Kind::kOwn, false, false, 0, {}, frame});
  SendLive(frame);
}

void Session::SendLive(const SharedFramePtr& frame) {
  if (!input_ended_) SendFrame(frame);  // a client that closes will resume
}

void Session::OnRun(fanout::LiveRun& run) {
  bool masked = false;
  if (run.looked_at && !MayLook(run.thread, &masked)) return;
  if (!masked && !deaf_ && !run.removes && !catch_up_.Concerns(run.thread)) {
    if (CoversInFull(run.thread)) SendLive(SessionAsFrame(run.joined.Frame(form())));
    return;
  }
  for (fanout::LiveEvent& event : run.events) {
    // Events are the same for all viewers, so masked staff get none with masked items: the gap in seqs makes
    // the client read them, and reads are masked.
    const auto of = protocol::Describe(event.kind).item;
    if (masked && of && *of != protocol::ChangeKind::kParticipant) continue;
    const bool own_removal =
        event.kind == EventKind::kParticipantRemoved && event.participant && *event.participant == user();
    if (!deaf_) {
      if (IsNews(run.thread, event.seq, own_removal)) SendLive(SessionAsFrame(event.payload.Frame(form())));
    } else if (own_removal || MayBeNews(run.thread, event.seq)) {
      Hold({Heard::Kind::kEvent, false, own_removal, event.seq, run.thread,
            SessionAsFrame(event.payload.Frame(form()))});
    }
  }
}

void Session::OnEntry(const fanout::EntryNotice& notice, fanout::SharedPayload& payload) {
  if (deaf_) {
    if (notice.announced || deliver_ == protocol::DeliverMode::kOpen)
      Hold({Heard::Kind::kEntry, notice.announced, false, 0, notice.thread,
            SessionAsFrame(payload.Frame(form()))});
    return;
  }
  if (notice.announced || !CoversInFull(notice.thread)) SendLive(SessionAsFrame(payload.Frame(form())));
}

void Session::OnNotice(fanout::SharedPayload& payload) {
  const SharedFramePtr frame = SessionAsFrame(payload.Frame(form()));
  if (deaf_) return Hold({Heard::Kind::kOwn, false, false, 0, {}, frame});
  SendLive(frame);
}

void Session::OnEphemeral(const protocol::ThreadId& thread, fanout::SharedPayload& payload) {
  // Dropped first under load: a session whose outbox fills up does not need typing and presence.
  if (Unread(4)) return;
  if (who().caller.by_case && !MayHear(thread)) return;
  if (deaf_)
    return Hold({Heard::Kind::kEphemeral, false, false, 0, thread, SessionAsFrame(payload.Frame(form()))});
  SendLive(SessionAsFrame(payload.Frame(form())));
}

void Session::Hold(Heard heard) {
  held_bytes_ += sizeof heard + FrameBytes(*heard.frame);
  held_.push_back(std::move(heard));
  if (Unread(2))
    CloseWith(CloseCode::kTooSlow, "too many events are held");  // the other half is for the reply
}

// Judges the event now and not when it was delivered: the answer in between may have opened or closed its
// thread, or contained the event.
void Session::Hear(const Heard& heard) {
  switch (heard.kind) {
    case Heard::Kind::kEvent:
      if (!IsNews(heard.thread, heard.seq, heard.own_removal)) return;
      break;
    case Heard::Kind::kEntry:
      if (!heard.announced && CoversInFull(heard.thread)) return;
      break;
    case Heard::Kind::kEphemeral:
      if (!opened_.contains(heard.thread)) return;
      break;
    case Heard::Kind::kOwn:
      break;
  }
  SendLive(heard.frame);
}

// Returns true if an event must be held. A thread that is caught up later will be read later, too, except for
// the one whose page may be under way.
bool Session::MayBeNews(const protocol::ThreadId& thread, int64_t seq) const {
  if (seq > 0 && catch_up_.Covers(thread)) return !catch_up_.waits() && catch_up_.NextPage().thread == thread;
  return CoversInFull(thread) || std::find(opening_.begin(), opening_.end(), thread) != opening_.end();
}

bool Session::IsNews(const protocol::ThreadId& thread, int64_t seq, bool own_removal) {
  if (catch_up_.LeftBefore(thread, seq)) return false;
  const bool shared = seq > 0;
  const bool catching_up = shared && catch_up_.Covers(thread);
  // After the removal nothing else reaches the user, not even typing and presence, even if rows showed the
  // removal before this event came. For a user who was added again in between, nothing ends.
  if (own_removal && !IsMember(thread)) {
    StopListening(thread);
    if (!catching_up) catch_up_.Forget(thread);
  }
  if (shared && !catching_up && catch_up_.ToldAlready(thread, seq)) return false;
  return !catching_up && (CoversInFull(thread) || own_removal);
}

bool Session::CoversInFull(const protocol::ThreadId& thread) const {
  return deliver_ == protocol::DeliverMode::kAll || opened_.contains(thread) || catch_up_.Resumed(thread);
}

// The row was written by the change that is being delivered, so it is in memory. If it is not, treat the user
// as removed: a returning member opens the thread again.
bool Session::IsMember(const protocol::ThreadId& thread) const {
  const storage::Snapshot snapshot = node_.table().NewSnapshot();
  const storage::MemoryAttempt attempt(*snapshot);
  const auto me = threads::RowReader(attempt, tenant()).Participant(thread, user());
  if (attempt.missed() || !me.ok()) return false;
  const auto& row = *me;
  return row && row->active();
}

// The case that admitted the user may be closed. The head was written by the change that is being delivered,
// so it is in memory.
bool Session::MayLook(const protocol::ThreadId& thread, bool* masked) {
  if (who().caller.is_staff() && !who().caller.by_case) return true;
  const storage::Snapshot snapshot = node_.table().NewSnapshot();
  const storage::MemoryAttempt attempt(*snapshot);
  const auto head = threads::RowReader(attempt, tenant()).Thread(thread);
  if (!attempt.missed() && head.ok()) {
    const auto standing = threads::RequireStanding(who().caller, *head, {}, clock().Now());
    if (standing.ok()) *masked = standing->masked;
    if (standing.ok()) return true;
  }
  StopListening(thread);
  catch_up_.Forget(thread);
  return false;
}

// The same for deliveries without a change: access as a member or by a case, as far as memory has the rows.
// If it lacks them, nothing is delivered.
bool Session::MayHear(const protocol::ThreadId& thread) {
  const storage::Snapshot snapshot = node_.table().NewSnapshot();
  const storage::MemoryAttempt attempt(*snapshot);
  const threads::RowReader rows(attempt, tenant());
  auto head = rows.Thread(thread);
  auto me = rows.Participant(thread, user());
  if (attempt.missed() || !head.ok() || !me.ok()) return false;
  const threads::Caller& caller = who().caller;
  if (threads::RequireStanding(caller, *std::move(head), *std::move(me), clock().Now()).ok()) return true;
  StopListening(thread);
  catch_up_.Forget(thread);
  return false;
}

// An access that is not recorded shows nothing: catch-up of the thread waits for the record.
void Session::LookAgain(const protocol::ThreadId& thread) {
  RecordAccess(io_, who().caller, thread, protocol::SessionHello::kName,
               [weak = weak_from_this(), thread](const Answer& recorded) {
                 const auto self = weak.lock();
                 if (!self || !self->authenticated_ || self->state_ != State::kResuming) return;
                 const bool lost =
                     !recorded.ok() && recorded.error().code != protocol::ErrorCode::kThreadNotMember;
                 if (lost) return self->CloseWith(CloseCode::kInternal, "the access could not be recorded");
                 if (recorded.ok()) self->io_.hub().Look(self.get(), thread);
                 self->catch_up_.Release(thread);
                 self->StepCatchUp();
               });
}

}  // namespace parley::gateway
