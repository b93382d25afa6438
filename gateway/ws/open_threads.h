// Carries out a session's thread.open, thread.close and typing.set, and knows which threads are open.
//
// Thread contract: the loop's thread. REQUIRES (all but Contains and IsOpening): the client is authenticated.
#pragma once

#include <functional>
#include <unordered_set>
#include <vector>

#include "gateway/app/hidden_pairs.h"
#include "gateway/ops/router.h"
#include "protocol/ops/lifecycle.h"
#include "protocol/ops/session.h"
#include "threads/model/read_context.h"

namespace parley::gateway {

struct SessionPieces;

inline constexpr size_t kOpenedThreadsMax = 1000;  // per session: no client shows more at once

class OpenThreads {
 public:
  explicit OpenThreads(SessionPieces& pieces) : s_(pieces) {}

  void Open(const protocol::ThreadOpen::Args& args, const Done& done);
  void Close(const protocol::ThreadId& thread, const Done& done);
  void SetTyping(const protocol::TypingSet::Args& args, const Done& done);

  bool Contains(const protocol::ThreadId& thread) const { return opened_.contains(thread); }
  // Returns true while a thread.open of it is unanswered.
  bool IsOpening(const protocol::ThreadId& thread) const;
  // Returns true if the thread's events are delivered in full, and not as inbox entries.
  bool CoversInFull(const protocol::ThreadId& thread) const;

  // Stops typing and presence of this thread, and its events if the session follows its inbox.
  void StopDelivery(const protocol::ThreadId& thread);
  // The rows show that the user is no longer a member, which live delivery may not know yet.
  void LeaveByRows(const protocol::ThreadId& thread);
  // Closes the open threads in which the user is not a member; all if that is unknown.
  void CloseUnlessMember(std::function<void(protocol::Status)> then);
  void CloseAll();
  void StopTyping();  // in all threads

 private:
  struct Opened;
  static threads::Result<Opened> ReadOpened(const threads::ReadContext& context,
                                            const protocol::ThreadOpen::Args& args);
  protocol::Status PlaceFor(const protocol::ThreadId& thread) const;
  Answer FinishOpen(const protocol::ThreadId& thread, threads::Result<Opened> opened);
  void FinishClose(const protocol::ThreadId& thread, const Done& done, const Answer& answer);
  void NoteTyping(const protocol::ThreadId& thread, bool typing);

  SessionPieces& s_;
  std::unordered_set<protocol::ThreadId> opened_;
  std::vector<protocol::ThreadId> opening_;   // threads whose thread.open is unanswered
  std::vector<protocol::ThreadId> types_in_;  // typing stops with the session; the latest is last
};

}  // namespace parley::gateway
