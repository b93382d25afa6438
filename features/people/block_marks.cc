#include "features/people/block_marks.h"

#include "fanout/shared_threads.h"
#include "features/host/cold_reads.h"
#include "threads/contacts/block_marks.h"

namespace parley::features {

using protocol::ThreadId;

namespace {

// Counts jobs that must all succeed.
struct Several {
  size_t left = 0;
  bool ok = true;
};

// Calls `then` after all of them.
void PutRight(Host& host, const protocol::TenantId& tenant, const std::vector<ThreadId>& threads,
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
    host.Submit(std::move(job));
  }
}

void FindAndPutRight(Host& host, const threads::Caller& caller, const protocol::UserId& whom,
                     const std::function<void(bool)>& then) {
  host.Await(threads::Waits::kInbox, [&host, caller, whom, then](bool reached) {
    if (!reached) return then(false);
    ReadAnywhere<std::vector<ThreadId>>(
        host, host.road(caller.tenant),
        [&host = std::as_const(host), caller, whom](const storage::Reader& reader) {
          return fanout::ThreadsBetween(host.ContextOf(reader, caller), whom);
        },
        [&host, tenant = caller.tenant, then](const threads::Result<std::vector<ThreadId>>& found) {
          if (!found.ok()) return then(false);
          PutRight(host, tenant, *found, then);
        });
  });
}

}  // namespace

void MarkBlocks(Host& host, const protocol::TenantId& tenant, const protocol::UserId& by,
                const protocol::UserId& whom, std::function<void(bool)> then) {
  threads::Caller caller;
  caller.tenant = tenant;
  caller.user = by;
  // A thread that begins after these decisions shows the block by itself.
  host.AfterDecisions(
      tenant, [&host, caller, whom, then = std::move(then)] { FindAndPutRight(host, caller, whom, then); });
}

}  // namespace parley::features
