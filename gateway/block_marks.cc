#include "gateway/block_marks.h"

#include "fanout/shared_threads.h"
#include "gateway/cold_reads.h"
#include "threads/engine/block_marks.h"

namespace parley::gateway {

using protocol::ThreadId;

namespace {

// Calls `then` when all of them are done.
void PutRight(Lane& lane, const protocol::TenantId& tenant, const std::vector<ThreadId>& threads,
              const std::function<void()>& then) {
  if (threads.empty()) return then();
  auto left = std::make_shared<size_t>(threads.size());
  for (const ThreadId& thread : threads) {
    threads::Job job;
    job.tenant = tenant;
    job.thread = thread;
    job.decide = [tenant, thread](threads::Stage& stage) {
      return threads::PutMarksRight(stage, tenant, thread);
    };
    job.done = [left, then](const threads::Answer&) {
      if (--*left == 0) then();
    };
    lane.Submit(std::move(job));
  }
}

}  // namespace

void MarkBlocks(Lane& lane, const protocol::TenantId& tenant, const protocol::UserId& by,
                const protocol::UserId& whom, std::function<void()> then) {
  threads::Caller caller;
  caller.tenant = tenant;
  caller.user = by;
  lane.AwaitProjection(fanout::ProjectionId::kInbox, [&lane, caller, whom, then = std::move(then)](bool) {
    ReadAnywhere<std::vector<ThreadId>>(
        lane, lane.road(),
        [&node = std::as_const(lane.node()), caller, whom](const storage::Reader& reader) {
          return fanout::ThreadsBetween(ContextOf(node, reader, caller), whom);
        },
        [&lane, tenant = caller.tenant, then](const threads::Result<std::vector<ThreadId>>& found) {
          if (!found.ok()) return then();
          PutRight(lane, tenant, *found, then);
        });
  });
}

}  // namespace parley::gateway
