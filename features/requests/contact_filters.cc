#include <set>

#include "features/host/records.h"
#include "features/requests/contact_filter.h"
#include "features/requests/operations.h"
#include "features/requests/ops.h"
#include "features/text_policy/asks.h"
#include "protocol/base/reason.h"
#include "protocol/base/sure.h"

namespace parley::features {

using accounts::RecordTransaction;
using protocol::Error;
using protocol::Reason;
using protocol::Result;

namespace {

FilterReply FilterReplyOf(const ContactFilter& filter) {
  FilterReply out;
  out.verified_only = filter.verified_only;
  out.min_age = filter.min_age;
  for (const std::string& name : filter.fields) out.fields.items.push_back({name});
  return out;
}

void PutFilter(Host& host, const threads::Caller& caller, const ContactFilter& filter, Done done) {
  DecideRecords<std::string>(
      host, caller.tenant,
      [user = protocol::Sure(caller.user), filter](RecordTransaction& tx) -> Result<std::string> {
        PARLEY_TRY(before, FindContactFilter(tx, user));
        if (before == filter) return protocol::Encode(FilterReplyOf(filter));
        PARLEY_CHECK_OK(PutContactFilter(tx, user, filter));
        PARLEY_CHECK_OK(tx.Commit());
        return protocol::Encode(FilterReplyOf(filter));
      },
      std::move(done));
}

void SetFilter(Host& host, const OpCall& call, Done done) {
  const threads::Caller& caller = call.caller;
  const auto& args = call.As<ContactFilterSet>();
  if (!caller.user) return done(ErrorFor(Reason::kOnlyUsers, "a filter is a user's"));
  ContactFilter filter;
  filter.verified_only = args.verified_only.value.value_or(false);
  if (args.min_age.value) filter.min_age = args.min_age.value->value;
  std::set<std::string> names;
  if (args.fields.value) {
    for (const auto& name : args.fields.value->items) {
      if (name.value.empty()) return done(Error::BadField("fields", "has an empty name"));
      if (IsPartOfFilter(name.value))
        return done(Error::BadField("fields", "names a part of the filter that has a field of its own"));
      if (names.insert(name.value).second) filter.fields.push_back(name.value);
    }
  }
  // Strangers read the names of the attributes that they did not state, so judge these texts.
  JudgeOutsideThreads(host, caller, threads::TextsOf<ContactFilterSet>(args),
                      [&host, caller, filter, done = std::move(done)](std::optional<Error> refused) {
                        if (refused) return done(*std::move(refused));
                        PutFilter(host, caller, filter, done);
                      });
}

threads::ReadAnswer GetFilter(const threads::ReadContext& context, const ContactFilterGet::Args&) {
  if (!context.caller.user) return ErrorFor(Reason::kOnlyUsers, "a filter is a user's");
  PARLEY_TRY(filter, FindContactFilter(RecordsOf(context), *context.caller.user));
  return protocol::Encode(FilterReplyOf(filter));
}

}  // namespace

Operation GetFilterOp() {
  return {threads::ReadOp<ContactFilterGet, GetFilter>()};
}
Operation SetFilterOp() {
  return HandledOp<ContactFilterSet>(&SetFilter);
}

}  // namespace parley::features
