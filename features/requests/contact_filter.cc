#include "features/requests/contact_filter.h"

#include "accounts/records/item_fields.h"
#include "accounts/users/user_keys.h"

namespace parley::features {
namespace {

using accounts::IntOf;
using accounts::IsTrue;
using accounts::kTenantsTable;
using accounts::RecordReads;
using accounts::RecordTransaction;
using accounts::SetInt;
using accounts::TenantHash;
using protocol::Result;
using protocol::UserId;
using storage::Item;

constexpr std::string_view kVerifiedOnly = "verifiedOnly", kMinAge = "minAge";

std::string FilterRange(const UserId& user) {
  return "FILTER#" + user.ToText();
}

}  // namespace

Result<ContactFilter> FindContactFilter(const RecordReads& reads, const UserId& user) {
  PARLEY_TRY(found, reads.Find(kTenantsTable, TenantHash(reads.tenant()), FilterRange(user)));
  ContactFilter out;
  if (!found) return out;
  out.verified_only = IsTrue(*found, "verified_only");
  out.min_age = IntOf(*found, "min_age").value_or(0);
  const storage::AttributeValue* fields = found->Find("fields");
  const auto* names = fields ? fields->As<storage::List>() : nullptr;
  if (!names) return out;
  for (const storage::AttributeValue& name : *names) {
    if (name.text()) out.fields.push_back(*name.text());
  }
  return out;
}

protocol::Status PutContactFilter(RecordTransaction& tx, const UserId& user, const ContactFilter& filter) {
  if (filter.empty()) {
    tx.Delete(kTenantsTable, TenantHash(tx.tenant()), FilterRange(user));
    return protocol::Ok();
  }
  Item item{{"tenant_id", tx.tenant().ToText()}, {"user_id", user.ToText()}};
  item.Set("verified_only", storage::AttributeValue::OfBool(filter.verified_only));
  SetInt(&item, "min_age", filter.min_age);
  storage::List fields;
  for (const std::string& name : filter.fields) fields.emplace_back(name);
  item.Set("fields", storage::AttributeValue(std::move(fields)));
  tx.Put(kTenantsTable, "contact_filter", std::move(item));
  return protocol::Ok();
}

bool IsPartOfFilter(std::string_view name) {
  return name == kVerifiedOnly || name == kMinAge;
}

std::vector<std::pair<std::string, std::string>> UnmetBy(const ContactFilter& filter, const Sender& sender) {
  std::vector<std::pair<std::string, std::string>> out;
  if (filter.verified_only && !sender.verified)
    out.emplace_back(std::string(kVerifiedOnly), "only verified users write first");
  if (sender.age < filter.min_age) out.emplace_back(std::string(kMinAge), "is not shown to be reached");
  // A tenant's settings may name a field twice.
  std::set<std::string> listed;
  for (const std::string& name : filter.fields) {
    if (IsPartOfFilter(name) || sender.said.contains(name) || !listed.insert(name).second) continue;
    out.emplace_back(name, "must be answered");
  }
  return out;
}

}  // namespace parley::features
