// Reads any bytes as a credential, then as the JSON that sets a user's record and changes it (split at the
// first line break). Reading is bounded and does not crash. An accepted record keeps to its bounds, is read
// back as it was stored, and an empty change does not alter it.

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <cstdlib>
#include <string>
#include <string_view>

#include "accounts/users/secret.h"
#include "accounts/users/user.h"
#include "accounts/users/user_rules.h"
#include "protocol/schema.h"

namespace {

using namespace parley::accounts;
using namespace parley::protocol;

void Require(bool holds) {
  if (!holds) std::abort();
}

void TryCredential(std::string_view text) {
  for (const std::string_view prefix : {kApiKeyPrefix, kRefreshTokenPrefix}) {
    if (!IsSecret(prefix, text)) continue;
    Require(text.size() == prefix.size() + kSecretDigits && LookupHashOf(text).size() == 64);
  }
}

void RequireKept(const User& user) {
  const auto read = UserFrom(ToItem(TenantId{"acme"}, user));
  Require(read.ok() && EncodeUser(*read) == EncodeUser(user));
  Require(user.identities.size() <= kIdentitiesMax && FitsAttributes(user.attributes));
  Require(!user.email || FoldEmail(*user.email) == user.email);
  Require(MsgpackToJson(user.preferences).size() <= kPreferencesBytesMax);
}

void TryChange(std::string_view json, User* user) {
  Document document;
  UserChange change;
  if (DecodeJson(std::string(json), {}, &document) || !Bind(document.root, &change).ok()) return;
  for (const auto kind : {Editor::Kind::kService, Editor::Kind::kAdmin, Editor::Kind::kSelf})
    RequireMayChange({kind, user->id}, change).ok();
  User changed = *user;
  if (!Apply(change, &changed).ok()) return;
  RequireKept(changed);
  *user = std::move(changed);
}

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const uint8_t* data, size_t size) {
  const std::string_view input(reinterpret_cast<const char*>(data), size);
  TryCredential(input);
  User user;
  user.id = *UserId::FromText("ann");
  user.preferences = "\x80";
  const size_t split = std::min(input.find('\n'), input.size());
  TryChange(input.substr(0, split), &user);
  TryChange(input.substr(std::min(split + 1, input.size())), &user);
  return 0;
}
