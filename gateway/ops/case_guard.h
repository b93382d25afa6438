// What a case is to decide is not done past it by one of the two who have to agree on it. It is asked for
// each op by which staff do directly what a case can decide: redact a message, or change it so that it reads
// otherwise, and close a thread.
//
// Thread contract: any thread, from one reader; RunGuarded on the executor's.
#pragma once

#include "features/moderation/cases.h"
#include "gateway/app/node.h"
#include "gateway/ops/moderation_ops.h"
#include "protocol/ops/messages.h"
#include "protocol/ops/moderation.h"
#include "protocol/ops/staff.h"
#include "threads/commands.h"
#include "threads/model/caller.h"

namespace parley::gateway {

// FORBIDDEN, with the case. REQUIRES (all): the caller is staff, acts as such, and may know of the thread.
protocol::Status RequireNoCase(const accounts::RecordReads& records, const threads::Caller& caller,
                               const protocol::ModerationMessage::Args& args,
                               const features::DualSeverities& dual);
protocol::Status RequireNoCase(const accounts::RecordReads& records, const threads::Caller& caller,
                               const protocol::MessageEdit::Args& args, const features::DualSeverities& dual);
protocol::Status RequireNoCase(const accounts::RecordReads& records, const threads::Caller& caller,
                               const protocol::MessageDelete::Args& args,
                               const features::DualSeverities& dual);

// thread.setStatus, with the guard: one person closes no thread of which two have to decide, but may lock it
// until they did, and nobody opens it before. To open any other thread takes nothing away from anybody.
threads::Result<threads::Decision> SetStatusGuarded(threads::Transaction& tx, const Node& node,
                                                    const threads::Caller& caller,
                                                    const protocol::ThreadSetStatus::Args& args);

// A command, and the guard of its op, if it has one. Whoever may not do it at all is not told of cases: that
// is judged first.
template <class Command>
threads::Result<threads::Decision> RunGuarded(threads::Transaction& tx, const Node& node,
                                              const threads::Caller& caller,
                                              const typename Command::Op::Args& args) {
  if constexpr (std::is_same_v<Command, threads::SetThreadStatus>)
    return SetStatusGuarded(tx, node, caller, args);
  auto decided = threads::Run<Command>(tx, caller, args);
  if constexpr (requires(const accounts::RecordReads& records) {
                  RequireNoCase(records, caller, args, features::DualSeverities());
                }) {
    if (!decided.ok() || decided->acts.empty()) return decided;
    const threads::RowReader rows = tx.Rows(caller.tenant);
    const accounts::RecordReads records(rows.raw(), caller.tenant, tx.moment().now, node.sealer());
    PARLEY_CHECK_OK(RequireNoCase(records, caller, args, DualOf(node, caller.tenant)));
  }
  return decided;
}

}  // namespace parley::gateway
