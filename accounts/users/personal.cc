#include "accounts/users/personal.h"

#include <algorithm>

#include "accounts/users/user_reads.h"

namespace parley::accounts {
namespace {

constexpr int64_t kAdultAge = 18;

bool IsTrue(const UserAttributes& attributes, const char* name) {
  const auto found = attributes.find(name);
  return found != attributes.end() && found->second == AttrValue(true);
}

std::optional<int64_t> NumberAttribute(const UserAttributes& attributes, const char* name) {
  const auto found = attributes.find(name);
  const auto* number = found == attributes.end() ? nullptr : std::get_if<int64_t>(&found->second);
  return number ? std::optional(std::max<int64_t>(0, *number)) : std::nullopt;
}

}  // namespace

Personal PersonalOf(const UserAttributes& attributes) {
  Personal out;
  out.verified = IsTrue(attributes, "idVerified");
  out.trusted = IsTrue(attributes, "trustedPro");
  out.age = NumberAttribute(attributes, "age").value_or(IsTrue(attributes, "adult") ? kAdultAge : 0);
  out.credits_frozen = IsTrue(attributes, "creditsFrozen");
  out.credits_cap = NumberAttribute(attributes, "creditsCap");
  return out;
}

protocol::Result<Personal> FindPersonal(const RecordReads& reads, const protocol::UserId& user) {
  PARLEY_TRY(found, FindUser(reads, user));
  return found ? PersonalOf(found->attributes) : Personal{};
}

}  // namespace parley::accounts
