// Catches a session's threads up after its hello: page by page, one at a time, and only while the client
// reads, so that catch-up itself never overflows the outbox.
//
// Thread contract: the loop's thread. REQUIRES (all but catch_up): the client is authenticated.
#pragma once

#include <memory>
#include <string>

#include "gateway/app/missed_pages.h"
#include "gateway/net/loop.h"
#include "gateway/ws/catch_up.h"

namespace parley::gateway {

struct SessionPieces;

class Resumption {
 public:
  explicit Resumption(SessionPieces& pieces) : s_(pieces) {}

  CatchUp& catch_up() { return catch_up_; }
  const CatchUp& catch_up() const { return catch_up_; }
  // Replaces the threads to catch up. Call before Start.
  void Take(CatchUp judged) { catch_up_ = std::move(judged); }
  // Leaves threads from which the user was removed, and catches up the others. REQUIRES: the hello was
  // answered.
  void Start();
  // Sends the next page, unless one is under way or the client has enough to read.
  void Step();
  void Stop() { timer_.reset(); }

 private:
  void ReadPage();
  MissedPages::Key MissedKey() const;
  void SendPage(const protocol::Result<CatchUp::Page>& page,
                const std::shared_ptr<const MissedPages::Page>& known);
  void SendShared(const CatchUp::Page& page);
  void EncodePage(const CatchUp::Page& page, const CatchUp::Send& send);
  void ResumeLook(const protocol::ThreadId& thread);  // as staff: the access is recorded first

  SessionPieces& s_;
  CatchUp catch_up_;
  std::unique_ptr<Timer> timer_;
  bool step_posted_ = false;
};

}  // namespace parley::gateway
