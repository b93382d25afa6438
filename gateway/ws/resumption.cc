#include "gateway/ws/resumption.h"

#include <utility>
#include <vector>

#include "features/host/access.h"
#include "features/host/cold_reads.h"
#include "gateway/ws/session_pieces.h"
#include "protocol/base/sure.h"
#include "protocol/compact.h"

namespace parley::gateway {
namespace {

using protocol::CloseCode;
using State = SessionCore::State;

constexpr int64_t kRetryMs = 200;  // if the readers' budget is used up

}  // namespace

void Resumption::Start() {
  for (const auto& [thread, seq] : catch_up_.left()) s_.threads.LeaveByRows(thread);
  for (const protocol::ThreadId& thread : catch_up_.looks()) ResumeLook(thread);
  if (s_.state == State::kResuming) Step();
}

void Resumption::Step() {
  if (step_posted_ || s_.state != State::kResuming || !s_.connection || catch_up_.waits()) return;
  if (s_.out.HasBacklog(8)) return;  // OnWritable continues
  if (!s_.io.MakeRoom()) {
    timer_ = s_.io.loop().CallAfter(kRetryMs, [this, weak = s_.weak_from_this()] {
      if (const auto session = weak.lock()) Step();
    });
    return;
  }
  step_posted_ = true;
  s_.io.loop().Post([this, weak = s_.weak_from_this()] {
    if (const auto session = weak.lock()) ReadPage();
  });
}

// Looks for the frames that an earlier member got: as long as the thread has not changed, they are the same.
void Resumption::ReadPage() {
  if (s_.state != State::kResuming || catch_up_.waits()) return;
  std::shared_ptr<const MissedPages::Page> known;
  if (catch_up_.begins()) known = s_.io.missed_pages().Find(MissedKey());
  ReadAnywhere<CatchUp::Page>(
      s_.io, s_.turns.road(),
      [&node = std::as_const(s_.node()), caller = s_.who().caller, place = catch_up_.NextPage(),
       version = known ? known->head_version : 0](const storage::Reader& reader) {
        return CatchUp::ReadPage(node.ContextOf(reader, caller), place, version);
      },
      [this, weak = s_.weak_from_this(), known](const protocol::Result<CatchUp::Page>& page) {
        if (const auto session = weak.lock()) SendPage(page, known);
      });
}

MissedPages::Key Resumption::MissedKey() const {
  const CatchUp::Place place = catch_up_.NextPage();
  return {s_.tenant(), place.thread, place.through, s_.form()};
}

void Resumption::SendPage(const protocol::Result<CatchUp::Page>& page,
                          const std::shared_ptr<const MissedPages::Page>& known) {
  step_posted_ = false;
  if (s_.state != State::kResuming) return;
  if (!page.ok()) return s_.CloseWith(CloseCode::kInternal, "catch-up failed");
  if (page->known) {
    s_.io.missed_pages().CountShared();
    s_.delivery.Deliver(known->frames);
    catch_up_.NoteSent(known->through);
  } else if (page->is_shared() && catch_up_.begins()) {
    SendShared(*page);
  } else {
    EncodePage(*page, [this](std::string event) {
      s_.delivery.Deliver(s_.out.Encode(std::move(event)));
      return s_.state == State::kResuming && !s_.out.HasBacklog(8);
    });
  }
  if (s_.state != State::kResuming) return;
  if (catch_up_.done()) {
    s_.state = State::kLive;
  } else {
    Step();
  }
}

// Sends the page as one piece, and keeps it for later members.
void Resumption::SendShared(const CatchUp::Page& page) {
  const MissedPages::Key key = MissedKey();
  const bool json = s_.encoding == protocol::Encoding::kJson;
  std::vector<std::string> payloads;
  EncodePage(page, [&](std::string event) {
    payloads.push_back(json ? protocol::MsgpackToJson(event) : std::move(event));
    return true;
  });
  const SharedFramePtr frames = MakeFrames(payloads.data(), payloads.size(), !json, s_.node().readers());
  s_.io.missed_pages().Put(key, {protocol::Sure(page.head).row_version, page.changes.through, frames});
  s_.delivery.Deliver(frames);
}

void Resumption::EncodePage(const CatchUp::Page& page, const CatchUp::Send& send) {
  catch_up_.SendPage(s_.who().caller, s_.clock().Now(), page,
                     s_.compact ? protocol::CompactSharedEvent : protocol::SharedEvent, send,
                     [&](const protocol::ThreadId& thread) { s_.threads.LeaveByRows(thread); });
}

// An access that is not recorded shows nothing: catch-up of the thread waits for the record.
void Resumption::ResumeLook(const protocol::ThreadId& thread) {
  RecordAccess(s_.io, s_.who().caller, thread, protocol::SessionHello::kName,
               [this, weak = s_.weak_from_this(), thread](const Answer& recorded) {
                 const auto session = weak.lock();
                 if (!session || !s_.authenticated || s_.state != State::kResuming) return;
                 const bool lost =
                     !recorded.ok() && recorded.error().code != protocol::ErrorCode::kThreadNotMember;
                 if (lost) return s_.CloseWith(CloseCode::kInternal, "the access could not be recorded");
                 if (recorded.ok()) s_.io.hub().Look(&s_.delivery, thread);
                 catch_up_.Release(thread);
                 Step();
               });
}

}  // namespace parley::gateway
