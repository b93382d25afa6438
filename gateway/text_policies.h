// The text policies of tenants, made once for each version of a tenant's settings, and what they find in the
// texts of a request before it goes to its executor: a long text takes as long as hundreds of commands.
//
// Thread contract: any thread.
#pragma once

#include "accounts/tenants/tenant.h"
#include "gateway/lane.h"
#include "protocol/base/result.h"
#include "threads/policy/judge.h"

namespace parley::gateway {

// The policy of a tenant with these settings; null: it has none. BAD_REQUEST with `fields` for sets that
// cannot be used.
protocol::Result<threads::text::PolicyPtr> MakeTextPolicy(const std::string& settings_json, bool by_default);

// Null: nothing is judged.
threads::ExaminedPtr ExamineTexts(Lane& lane, const threads::Caller& caller, threads::Texts texts);
bool HasTextPolicy(Lane& lane, const threads::Caller& caller);

}  // namespace parley::gateway
