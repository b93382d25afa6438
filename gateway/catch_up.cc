#include "gateway/catch_up.h"

#include <algorithm>

#include "protocol/frame.h"
#include "threads/lifecycle/changes.h"
#include "threads/lifecycle/view.h"

namespace parley::gateway {
namespace {

constexpr size_t kPage = 100;  // changes read under one snapshot

using protocol::ResumeVerdict;

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

protocol::Result<protocol::Dictionary<ResumeVerdict>> CatchUp::Judge(Node& node,
                                                                     const threads::Caller& caller,
                                                                     const protocol::ResumeRequest& request,
                                                                     CatchUp* out) {
  const bool same_history = request.epoch == node.table().identity().epoch;
  const storage::Snapshot snapshot = node.table().NewSnapshot();
  const threads::RowReader rows(*snapshot, caller.tenant);
  protocol::Dictionary<ResumeVerdict> verdicts;
  for (const auto& [name, held] : request.threads.members) {
    const auto thread = protocol::ThreadId::FromText(name);
    PARLEY_TRY(me, rows.Participant(*thread, *caller.user));
    PARLEY_TRY(head, rows.Thread(*thread));
    const bool member = me && me->active();
    const bool look = !member && caller.is_staff() && threads::RequireStanding(caller, head, me).ok();
    if (!member && !look) {
      if (me) out->left_[*thread] = me->item.seq;
      verdicts.members.emplace_back(name, ResumeVerdict::kGone);
      continue;
    }
    out->resumed_.insert(*thread);
    if (!same_history || (head ? threads::IsBeyondLog(*head, held.value) : held.value > 0)) {
      verdicts.members.emplace_back(name, ResumeVerdict::kReset);
      continue;
    }
    verdicts.members.emplace_back(name, ResumeVerdict::kOk);
    (look ? out->looks_ : out->todo_).push_back({*thread, held.value, held.value, {}, look});
    out->waiting_.insert(*thread);
  }
  return verdicts;
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

bool CatchUp::ToldAlready(const protocol::ThreadId& thread, int64_t seq) {
  if (told_.empty()) return false;
  const auto told = told_.find(thread);
  if (told == told_.end()) return false;
  if (seq <= told->second) return true;
  told_.erase(told);  // seqs only rise: from here on everything is news
  return false;
}

bool CatchUp::LeftBefore(const protocol::ThreadId& thread, int64_t seq) {
  const auto left = left_.find(thread);
  if (left == left_.end()) return false;
  const bool before = seq <= left->second;
  if (seq >= left->second) left_.erase(left);  // live delivery has got there: it knows the members by now
  return before;
}

void CatchUp::Finish(int64_t seq, const Send& send) {
  const protocol::ThreadId thread = todo_.front().thread;
  send(protocol::ThreadSyncedEvent(thread, seq));
  waiting_.erase(thread);
  told_[thread] = seq;
  todo_.pop_front();
}

bool CatchUp::Step(Node& node, const threads::Caller& caller, const Send& send, const Removed& removed_from) {
  if (todo_.empty()) return true;  // what is left waits to be released
  Todo& todo = todo_.front();
  const storage::Snapshot snapshot = node.table().NewSnapshot();
  const threads::RowReader rows(*snapshot, caller.tenant);
  const auto me = rows.Participant(todo.thread, *caller.user);
  if (!me.ok()) return false;
  const auto looked_at = rows.Thread(todo.thread);
  const bool looks = todo.look && looked_at.ok() && threads::RequireStanding(caller, *looked_at, *me).ok();
  if ((!*me || !(*me)->active()) && !looks) {
    // Removed meanwhile: that he was is all he still learns, and the last he hears.
    const bool removed = *me && (*me)->item.seq > todo.through;
    const protocol::ThreadId thread = todo.thread;
    if (*me) left_[thread] = (*me)->item.seq;
    removed_from(thread);
    Finish(removed ? (*me)->item.seq - 1 : todo.through, send);
    resumed_.erase(thread);
    if (!removed) return true;
    const protocol::Participant& item = (*me)->item;
    told_[thread] = item.seq;
    send(protocol::SharedEvent(protocol::EventKind::kParticipantRemoved, thread, item.seq,
                               item.removed_at.value_or(node.clock().Now()), threads::Wire(item)));
    return true;
  }
  const auto& head = looked_at;
  // A reader so slow that what it has yet to be told was swept meanwhile comes back, and is told to start
  // anew.
  if (!head.ok() || !*head || threads::IsSwept(**head, todo.through)) return false;
  const threads::View view = threads::ViewOf(caller, (*head)->item, node.clock().Now());
  const auto page = threads::ReadChanges(rows, caller, todo.thread, todo.through, kPage,
                                         static_cast<size_t>(node.config().max_page_bytes));
  if (!page.ok()) return false;
  for (const threads::Change& change : page->changes) {
    // Told in an earlier page and changed since: then it is an update, whatever the client held.
    const int64_t held = todo.born.Contains(change.born_seq) ? change.born_seq : todo.held;
    if (change.kind != protocol::EventKind::kParticipantRemoved) todo.born.Add(change.born_seq);
    const bool more =
        send(protocol::SharedEvent(threads::CatchUpKind(change, held), todo.thread, change.seq, change.at,
                                   threads::WireAsSeen(change.kind, change.wire, view)));
    if (more) continue;
    todo.through = change.seq;  // the rest of the page is read again, as it is by then
    return true;
  }
  todo.through = page->through;
  if (!page->more) Finish(page->through, send);
  return true;
}

}  // namespace parley::gateway
