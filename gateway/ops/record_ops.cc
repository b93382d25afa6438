#include "gateway/ops/record_ops.h"

#include <set>

#include "accounts/contacts/contact_filter.h"
#include "gateway/app/records.h"
#include "gateway/ops/refused_starts.h"
#include "protocol/base/reason.h"
#include "protocol/base/sure.h"

namespace parley::gateway {

using accounts::RecordTransaction;
using protocol::Error;
using protocol::Reason;
using protocol::Result;

protocol::FilterReply FilterReplyOf(const accounts::ContactFilter& filter) {
  protocol::FilterReply out;
  out.verified_only = filter.verified_only;
  out.min_age = filter.min_age;
  for (const std::string& name : filter.fields) out.fields.items.push_back({name});
  return out;
}

namespace {

void PutFilter(IoThread& io, const threads::Caller& caller, const accounts::ContactFilter& filter,
               Done done) {
  DecideRecords<std::string>(
      io, caller.tenant,
      [user = protocol::Sure(caller.user), filter](RecordTransaction& tx) -> Result<std::string> {
        PARLEY_TRY(before, accounts::FindContactFilter(tx, user));
        if (before == filter) return protocol::Encode(FilterReplyOf(filter));
        PARLEY_CHECK_OK(accounts::PutContactFilter(tx, user, filter));
        PARLEY_CHECK_OK(tx.Commit());
        return protocol::Encode(FilterReplyOf(filter));
      },
      std::move(done));
}

}  // namespace

void WriteRecords(OpTag<protocol::ContactFilterSet>, IoThread& io, const threads::Caller& caller,
                  const protocol::ContactFilterSet::Args& args, Done done) {
  if (!caller.user) return done(ErrorFor(Reason::kOnlyUsers, "a filter is a user's"));
  accounts::ContactFilter filter;
  filter.verified_only = args.verified_only.value.value_or(false);
  if (args.min_age.value) filter.min_age = args.min_age.value->value;
  std::set<std::string> names;
  if (args.fields.value) {
    for (const auto& name : args.fields.value->items) {
      if (name.value.empty()) return done(Error::BadField("fields", "has an empty name"));
      if (accounts::IsPartOfFilter(name.value))
        return done(Error::BadField("fields", "names a part of the filter that stands beside it"));
      if (names.insert(name.value).second) filter.fields.push_back(name.value);
    }
  }
  // Strangers read the names of what they did not say.
  JudgeOutsideThreads(io, caller, threads::TextsOf<protocol::ContactFilterSet>(args),
                      [&io, caller, filter, done = std::move(done)](std::optional<Error> refused) {
                        if (refused) return done(*std::move(refused));
                        PutFilter(io, caller, filter, done);
                      });
}

}  // namespace parley::gateway
