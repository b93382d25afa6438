#include "features/host/records.h"
#include "features/people/asks.h"
#include "features/people/block_marks.h"
#include "features/people/operations.h"
#include "features/people/ops.h"
#include "features/people/stored_blocks.h"
#include "protocol/base/reason.h"
#include "protocol/base/sure.h"

namespace parley::features {

using accounts::RecordTransaction;
using protocol::Reason;
using protocol::Result;
using protocol::UserId;

namespace {

using RecordChange = protocol::Status (*)(RecordTransaction&, const UserId& by, const UserId& whom);

void ChangeBlock(Host& host, const threads::Caller& caller, const UserId& whom, RecordChange change,
                 Done done) {
  if (!caller.user) return done(ErrorFor(Reason::kOnlyUsers, "only users block each other"));
  DecidePeople<PairChange>(
      host, caller.tenant,
      [&host, tenant = caller.tenant, by = *caller.user, whom,
       change](RecordTransaction& tx) -> Result<PairChange> {
        PARLEY_TRY(other_way, FindBlock(tx, whom, by));
        PARLEY_CHECK_OK(change(tx, by, whom));
        // The other one may block, too.
        const bool apart = change == &CommitBlock || other_way;
        return PairChange{tenant, {by, whom}, apart, host.NextPairChange()};
      },
      [&host, caller, whom, done = std::move(done)](Result<PairChange> decided) {
        if (!decided.ok()) return done(std::move(decided.error()));
        host.PublishPairChange(*decided);
        MarkBlocks(host, caller.tenant, *caller.user, whom, [done](bool shown) {
          if (shown) return done(protocol::Encode(protocol::Empty{}));
          done(ErrorFor(Reason::kBlockSpreads, "it holds, and does not show everywhere yet"));
        });
      });
}

void Block(Host& host, const OpCall& call, Done done) {
  BlockUser(host, call.caller, call.As<UserBlock>().user_id, std::move(done));
}

void Unblock(Host& host, const OpCall& call, Done done) {
  ChangeBlock(host, call.caller, call.As<UserUnblock>().user_id, &CommitUnblock, std::move(done));
}

}  // namespace

void BlockUser(Host& host, const threads::Caller& caller, const UserId& whom, Done done) {
  ChangeBlock(host, caller, whom, &CommitBlock, std::move(done));
}

Operation BlockOp() {
  return HandledOp<UserBlock>(&Block);
}
Operation UnblockOp() {
  return HandledOp<UserUnblock>(&Unblock);
}

}  // namespace parley::features
