#include "accounts/tokens/connect.h"

#include "protocol/base/reason.h"

namespace parley::accounts {
namespace {

using protocol::Error;
using protocol::ErrorCode;
using protocol::Reason;

constexpr char kForeignPage[] = "the tenant does not allow pages of this origin";

protocol::Status JudgeTenant(const ConnectFacts& facts, Purpose purpose) {
  if (facts.is_operator) return protocol::Ok();
  const TenantStatus status = facts.tenant->status;
  if (status == TenantStatus::kActive) return protocol::Ok();
  const bool administers = facts.is_service && (purpose == Purpose::kAccess || purpose == Purpose::kChange);
  if (status == TenantStatus::kSuspended) {
    if (administers && purpose == Purpose::kAccess) return protocol::Ok();
    return ErrorFor(Reason::kTenantSuspended, "the tenant is suspended");
  }
  if (administers) return protocol::Ok();
  return ErrorFor(Reason::kTenantInactive, "the tenant is not active yet");
}

protocol::Status JudgeUser(const ConnectFacts& facts) {
  if (facts.is_operator || facts.is_service) return protocol::Ok();
  if (facts.user_suspended) return ErrorFor(Reason::kUserSuspended, "the user is suspended");
  if (facts.writes && facts.reads_only) return ErrorFor(Reason::kReadsOnly, "the user may only read");
  return protocol::Ok();
}

}  // namespace

protocol::Status DecideConnect(const ConnectFacts& facts, Purpose purpose) {
  if (facts.credential == CredentialState::kExpired)
    return Error(ErrorCode::kAuthExpired, "the token has expired");
  if (facts.credential != CredentialState::kGood)
    return ErrorFor(Reason::kBadCredential, "the credential is not valid");
  if (!facts.tenant)
    return facts.is_operator && purpose != Purpose::kSession
               ? ErrorFor(Reason::kNoTenant, "no such tenant")
               : ErrorFor(Reason::kBadCredential, "the credential is not valid");
  PARLEY_CHECK_OK(JudgeTenant(facts, purpose));
  PARLEY_CHECK_OK(JudgeUser(facts));
  if (!facts.origin.empty() && !facts.tenant->allows(facts.origin))
    return ErrorFor(Reason::kForeignPage, kForeignPage);
  return protocol::Ok();
}

bool RefusesPage(const Error& error) {
  return error.code == ErrorCode::kForbidden && error.message == kForeignPage;
}

}  // namespace parley::accounts
