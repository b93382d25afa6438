#include "gateway/dynamodb/credentials.h"

#include <utility>
#include <variant>

#include "accounts/sigv4.h"

namespace parley::gateway {
namespace {

using accounts::SignatureFault;

DynamoErrorType TypeOf(SignatureFault fault) {
  switch (fault) {
    case SignatureFault::kMissing:
      return DynamoErrorType::kMissingAuthenticationToken;
    case SignatureFault::kIncomplete:
    case SignatureFault::kBadAlgorithm:
    case SignatureFault::kBadCredential:
      return DynamoErrorType::kIncompleteSignature;
    case SignatureFault::kUnknownKey:
      return DynamoErrorType::kUnrecognizedClient;
    case SignatureFault::kTwoForms:
    case SignatureFault::kExpired:
    case SignatureFault::kNotYet:
    case SignatureFault::kUnsigned:
    case SignatureFault::kBadScope:
    case SignatureFault::kMismatch:
      return DynamoErrorType::kInvalidSignature;
  }
  return DynamoErrorType::kInvalidSignature;
}

DynamoError ErrorOf(const accounts::SignatureRefusal& refusal) {
  return {TypeOf(refusal.fault), refusal.message};
}

}  // namespace

accounts::TableKeyPtr TableAuthenticator::ActiveKey(const std::string& access_key_id) const {
  accounts::TableKeyPtr key = keys_.Find(access_key_id);
  if (!key || key->status != accounts::TableKeyStatus::kActive) return nullptr;
  return key;
}

DynamoResult<TableCaller> TableAuthenticator::Authenticate(const HttpRequest& request) {
  const accounts::SignedRequest view{request.method, request.target, request.body, request.headers};
  const protocol::Time now = clock_.Now();
  const auto read = accounts::ReadSignature(view, accounts::kTablesService, now);
  if (const auto* refusal = std::get_if<accounts::SignatureRefusal>(&read)) return ErrorOf(*refusal);
  const auto& claim = std::get<accounts::SignatureClaim>(read);
  accounts::TableKeyPtr key = ActiveKey(claim.access_key_id);
  if (!key) return ErrorOf(accounts::UnknownAccessKey());

  std::optional<std::string> signing_key = signing_keys_.Find(claim.credential);
  const bool is_new = !signing_key;
  if (is_new) {
    const auto secret = keys_.SecretOf(*key);
    if (!secret) return ErrorOf(accounts::UnknownAccessKey());
    signing_key = accounts::DeriveSigningKey(*secret, claim.credential);
  }
  if (const auto refusal = accounts::CheckSignature(view, claim, *signing_key)) return ErrorOf(*refusal);
  if (is_new) signing_keys_.Add(claim.credential, *signing_key);
  const accounts::TenantPtr owner = tenants_.Find(key->tenant.ToText());
  if (!owner || owner->status != accounts::TenantStatus::kActive)
    return DynamoError{DynamoErrorType::kAccessDenied, "The tenant is not active."};
  keys_.NoteUse(*key, now);
  const protocol::TenantId tenant = key->tenant;
  return TableCaller{tenant, std::move(key), claim.valid_for_s};
}

std::optional<DynamoError> TableAuthenticator::JudgeHead(const HttpRequest& request) const {
  const accounts::SignedRequest view{request.method, request.target, request.body, request.headers};
  const auto read = accounts::ReadSignature(view, accounts::kTablesService, clock_.Now());
  if (const auto* refusal = std::get_if<accounts::SignatureRefusal>(&read)) return ErrorOf(*refusal);
  const auto& claim = std::get<accounts::SignatureClaim>(read);
  if (!ActiveKey(claim.access_key_id)) return ErrorOf(accounts::UnknownAccessKey());
  return std::nullopt;
}

std::optional<DynamoError> TableCaller::Refuse(std::string_view operation, std::string_view table,
                                               bool write) const {
  if (write && signed_for_s > accounts::kSignatureWindowS)
    return DynamoError{DynamoErrorType::kAccessDenied,
                       "A presigned request that writes may be valid for 15 minutes at most: X-Amz-Expires"};
  if (accounts::Allows(*key, table, write)) return std::nullopt;
  return DynamoError{DynamoErrorType::kAccessDenied,
                     "Access key " + key->id.ToText() + " is not authorized to perform: dynamodb:" +
                         std::string(operation) + " on resource: table/" + std::string(table)};
}

}  // namespace parley::gateway
