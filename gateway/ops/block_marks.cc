#include "gateway/ops/block_marks.h"

#include "fanout/shared_threads.h"
#include "gateway/app/cold_reads.h"
#include "threads/engine/block_marks.h"

namespace parley::gateway {

using protocol::ThreadId;

namespace {

// Some jobs, all of which have to succeed.
struct Several {
  size_t left = 0;
  bool ok = true;
};

// Tells `then` when all of them are done.
void PutRight(IoThread& io, const protocol::TenantId& tenant, const std::vector<ThreadId>& threads,
              const std::function<void(bool)>& then) {
  if (threads.empty()) return then(true);
  auto several = std::make_shared<Several>(Several{threads.size()});
  for (const ThreadId& thread : threads) {
    threads::Job job;
    job.tenant = tenant;
    job.thread = thread;
    job.decide = [tenant, thread](threads::Transaction& tx) {
      return threads::PutMarksRight(tx, tenant, thread);
    };
    job.done = [several, then](const threads::Answer& answer) {
      several->ok &= answer.ok();
      if (--several->left == 0) then(several->ok);
    };
    io.Submit(std::move(job));
  }
}

// Calls `then` when whatever an executor had decided by now is committed, and so can be found: a thread that
// begins while the block does shows it by itself from then on.
void BehindDecisions(IoThread& io, const protocol::TenantId& tenant, const std::function<void()>& then) {
  threads::Executors& executors = io.node().executors();
  auto left = std::make_shared<size_t>(executors.count());
  for (size_t i = 0; i < executors.count(); ++i) {
    threads::Job job;
    job.tenant = tenant;
    job.origin = io.index();
    job.decide = [](threads::Transaction&) { return threads::Decision(); };
    job.done = [left, then](const threads::Answer&) {
      if (--*left == 0) then();
    };
    executors.SubmitTo(i, std::move(job));
  }
}

void FindAndPutRight(IoThread& io, const threads::Caller& caller, const protocol::UserId& whom,
                     const std::function<void(bool)>& then) {
  io.AwaitProjection(fanout::ProjectionId::kInbox, [&io, caller, whom, then](bool reached) {
    if (!reached) return then(false);
    ReadAnywhere<std::vector<ThreadId>>(
        io, io.road(caller.tenant),
        [&node = std::as_const(io.node()), caller, whom](const storage::Reader& reader) {
          return fanout::ThreadsBetween(ContextOf(node, reader, caller), whom);
        },
        [&io, tenant = caller.tenant, then](const threads::Result<std::vector<ThreadId>>& found) {
          if (!found.ok()) return then(false);
          PutRight(io, tenant, *found, then);
        });
  });
}

}  // namespace

void MarkBlocks(IoThread& io, const protocol::TenantId& tenant, const protocol::UserId& by,
                const protocol::UserId& whom, std::function<void(bool)> then) {
  threads::Caller caller;
  caller.tenant = tenant;
  caller.user = by;
  BehindDecisions(io, tenant,
                  [&io, caller, whom, then = std::move(then)] { FindAndPutRight(io, caller, whom, then); });
}

}  // namespace parley::gateway
