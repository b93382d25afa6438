// The ops of reports, cases and decisions: where they go through the item writer, an executor and a read, in
// this order.
//
// Thread contract: Route* on the I/O thread's thread; ReadModeration on any.
#pragma once

#include "accounts/records/records.h"
#include "features/moderation/cases.h"
#include "gateway/ops/router.h"
#include "protocol/ops/moderation.h"
#include "threads/model/read_context.h"

namespace parley::gateway {

void RouteRecords(IoThread& io, const threads::Caller& caller, protocol::MessageReport::Args args, Done done);
void RouteRecords(IoThread& io, const threads::Caller& caller, protocol::ThreadReport::Args args, Done done);
void RouteRecords(IoThread& io, const threads::Caller& caller, protocol::UserReport::Args args, Done done);
void RouteRecords(IoThread& io, const threads::Caller& caller, protocol::ModerationCaseOp::Args args,
                  Done done);
void RouteRecords(IoThread& io, const threads::Caller& caller, protocol::ModerationDecide::Args args,
                  Done done);

void RouteRecords(IoThread& io, const threads::Caller& caller, protocol::ModerationResetLadder::Args args,
                  Done done);

threads::ReadAnswer ReadModeration(const threads::ReadContext& context, const accounts::RecordReads& records,
                                   const protocol::ModerationQueue::Args& args);
threads::ReadAnswer ReadModeration(const threads::ReadContext& context, const accounts::RecordReads& records,
                                   const protocol::ModerationThreads::Args& args);

// The severities of which the tenant wants two to decide. Any thread.
features::DualSeverities DualOf(const Node& node, const protocol::TenantId& tenant);

// That staff look at what is no thread's; the answer's error, if any, is what to answer instead.
void RecordStaffAccess(IoThread& io, const threads::Caller& caller, std::string_view op,
                       const std::optional<protocol::UserId>& about,
                       std::function<void(protocol::Status)> then);

}  // namespace parley::gateway
