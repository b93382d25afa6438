#include "gateway/ws/catch_up.h"

#include <algorithm>

#include "protocol/base/sure.h"
#include "protocol/frame.h"
#include "threads/lifecycle/changes.h"
#include "threads/lifecycle/view.h"

namespace parley::gateway {
namespace {

constexpr size_t kChangesRead = 100;  // changes read under one snapshot

using protocol::ResumeVerdict;

bool IsReadable(const threads::ReadContext& context, const std::optional<threads::ThreadRow>& head) {
  if (!head || !context.people) return true;
  const threads::Messaging left = context.people->MessagingIn(context.caller.tenant, head->item.city);
  return threads::RequireReadable(left).ok();
}

}  // namespace

void SeqRuns::Add(int64_t seq) {
  if (Contains(seq)) return;
  int64_t last = seq;
  const auto next = runs_.upper_bound(seq);
  if (next != runs_.end() && next->first == seq + 1) {
    last = next->second;
    runs_.erase(next);
  }
  const auto above = runs_.upper_bound(seq);
  if (above != runs_.begin() && std::prev(above)->second == seq - 1) {
    std::prev(above)->second = last;
  } else {
    runs_.emplace(seq, last);
  }
}

bool SeqRuns::Contains(int64_t seq) const {
  const auto above = runs_.upper_bound(seq);
  return above != runs_.begin() && std::prev(above)->second >= seq;
}

protocol::Status CatchUp::Check(const protocol::ResumeRequest& request) {
  using protocol::Error;
  if (request.threads.members.size() > protocol::kMaxResumeThreads)
    return Error::BadField("resume.threads", "has too many elements");
  for (const auto& [name, held] : request.threads.members) {
    if (!protocol::ThreadId::FromText(name)) return Error::BadField("resume.threads", "is not a valid id");
  }
  return protocol::Ok();
}

protocol::Result<CatchUp::Judgement> CatchUp::Judge(const threads::ReadContext& context,
                                                    const std::string& epoch,
                                                    const protocol::ResumeRequest& request) {
  const bool same_history = request.epoch == epoch;
  const threads::Caller& caller = context.caller;
  const threads::RowReader rows = context.rows();
  Judgement out;
  CatchUp& judged = out.catch_up;
  for (const auto& [name, held] : request.threads.members) {
    const protocol::ThreadId thread =
        protocol::Sure(protocol::ThreadId::FromText(name));  // Check has validated it
    PARLEY_TRY(me, rows.Participant(thread, protocol::Sure(caller.user)));
    PARLEY_TRY(head, rows.Thread(thread));
    const bool member = me && me->active();
    const bool look =
        !member && caller.is_staff() && threads::RequireStanding(caller, head, me, context.now).ok();
    if (!member && !look) {
      if (me) judged.left_[thread] = me->item.seq;
      out.verdicts.members.emplace_back(name, ResumeVerdict::kGone);
      continue;
    }
    judged.resumed_.insert(thread);
    // A thread that may not be read is reset: its thread.open reports the reason.
    const bool readable = look || IsReadable(context, head);
    if (!same_history || !readable || (head ? threads::IsBeyondLog(*head, held.value) : held.value > 0)) {
      out.verdicts.members.emplace_back(name, ResumeVerdict::kReset);
      continue;
    }
    out.verdicts.members.emplace_back(name, ResumeVerdict::kOk);
    (look ? judged.looks_ : judged.todo_).push_back({thread, held.value, held.value, {}, look});
    judged.waiting_.insert(thread);
  }
  return out;
}

std::vector<protocol::ThreadId> CatchUp::looks() const {
  std::vector<protocol::ThreadId> out;
  for (const Todo& todo : looks_) out.push_back(todo.thread);
  return out;
}

void CatchUp::Release(const protocol::ThreadId& thread) {
  const auto found =
      std::find_if(looks_.begin(), looks_.end(), [&](const Todo& todo) { return todo.thread == thread; });
  if (found != looks_.end()) todo_.splice(todo_.end(), looks_, found);
}

bool CatchUp::AlreadySent(const protocol::ThreadId& thread, int64_t seq) {
  if (sent_.empty()) return false;
  const auto sent = sent_.find(thread);
  if (sent == sent_.end()) return false;
  if (seq <= sent->second) return true;
  sent_.erase(sent);  // seqs only rise: all later events are new
  return false;
}

bool CatchUp::LeftBefore(const protocol::ThreadId& thread, int64_t seq) {
  const auto left = left_.find(thread);
  if (left == left_.end()) return false;
  const bool before = seq <= left->second;
  if (seq >= left->second) left_.erase(left);  // live delivery has seen the removal by now
  return before;
}

void CatchUp::Finish(int64_t seq, const Send& send) {
  send(protocol::ThreadSyncedEvent(todo_.front().thread, seq));
  NoteSent(seq);
}

void CatchUp::NoteSent(int64_t seq) {
  const protocol::ThreadId thread = todo_.front().thread;
  waiting_.erase(thread);
  sent_[thread] = seq;
  todo_.pop_front();
}

protocol::Result<CatchUp::Page> CatchUp::ReadPage(const threads::ReadContext& context, const Place& place,
                                                  uint64_t known_head) {
  const threads::RowReader rows = context.rows();
  Page page;
  PARLEY_TRY(me, rows.Participant(place.thread, protocol::Sure(context.caller.user)));
  page.me = std::move(me);
  PARLEY_TRY(head, rows.Thread(place.thread));
  const bool member = page.me && page.me->active();
  threads::Caller viewer = context.caller;
  if (!member) {
    const auto standing = threads::RequireStanding(context.caller, head, page.me, context.now);
    if (!place.look || !standing.ok()) return page;
    viewer = threads::ViewerOf(viewer, *standing);
  }
  // The changes still to send were swept, because the reader was too slow: the client must reset.
  if (!head || threads::IsSwept(*head, place.through))
    return protocol::Error(protocol::ErrorCode::kInternal, "the changes were swept");
  page.head = std::move(head);
  // A user who has not accepted a message request learns the last seq and nothing else.
  if (!threads::RequireLetIn(context.caller, *page.head).ok()) {
    page.changes.through = page.head->item.last_seq;
    return page;
  }
  page.known = member && !viewer.is_staff() && page.head->row_version == known_head;
  if (page.known) return page;
  PARLEY_TRY(changes, threads::ReadChanges(rows, viewer, place.thread, place.through, kChangesRead,
                                           context.page_bytes));
  page.changes = std::move(changes);
  return page;
}

// The user was removed during catch-up: the removal is the last event that they receive.
void CatchUp::SendRemoved(protocol::Time now, const Page& page, Encoder& encode, const Send& send,
                          const Removed& removed_from) {
  const Todo& todo = todo_.front();
  const bool removed = page.me && page.me->item.seq > todo.through;
  const protocol::ThreadId thread = todo.thread;
  if (page.me) left_[thread] = page.me->item.seq;
  removed_from(thread);
  Finish(removed ? page.me->item.seq - 1 : todo.through, send);
  resumed_.erase(thread);
  if (!removed) return;
  const protocol::Participant& item = page.me->item;
  sent_[thread] = item.seq;
  send(encode(protocol::EventKind::kParticipantRemoved, thread, item.seq, item.removed_at.value_or(now),
              threads::Wire(item)));
}

void CatchUp::SendPage(const threads::Caller& caller, protocol::Time now, const Page& page, Encoder& encode,
                       const Send& send, const Removed& removed_from) {
  if (!page.head) return SendRemoved(now, page, encode, send, removed_from);
  Todo& todo = todo_.front();
  const threads::View view = threads::ViewOf(caller, page.head->item, now);
  for (const threads::Change& change : page.changes.changes) {
    // An item that was already sent and has changed since is an update, whatever the client held.
    const int64_t held = todo.born.Contains(change.born_seq) ? change.born_seq : todo.held;
    if (change.kind != protocol::EventKind::kParticipantRemoved) todo.born.Add(change.born_seq);
    const bool more = send(encode(threads::CatchUpKind(change, held), todo.thread, change.seq, change.at,
                                  threads::WireAsSeen(change.kind, change.wire, view)));
    if (more) continue;
    todo.through = change.seq;  // the rest of the page is read again, in its state by then
    return;
  }
  todo.through = page.changes.through;
  if (!page.changes.more) Finish(page.changes.through, send);
}

}  // namespace parley::gateway
