// Decides whether a caller may connect, and for which purpose. It checks in a fixed order, so that a refusal
// reveals nothing about later checks: credential, tenant, user, permission, origin.
//
// The caller checks rate limits afterwards (gateway/app/rate_limits.h): a decision may be made twice, from
// memory and then from the disk, and must not cost twice; and a repeat gets its reply before them. Only an
// address with too many bad credentials is refused before, whatever it presents.
//
// Pure, any thread. The caller gathers the facts; a fact that does not concern it keeps its default.
#pragma once

#include <optional>
#include <string_view>

#include "accounts/tenants/tenant.h"
#include "protocol/base/result.h"

namespace parley::accounts {

// The purpose of a request.
enum class Purpose : uint8_t {
  kSession,  // a socket
  kOp,       // an op over HTTP, tokens, tables, uploads
  kAccess,   // reading a tenant's administration: users, keys, settings
  kChange,   // changing it
};

enum class CredentialState : uint8_t { kUnknown, kExpired, kGood };

struct ConnectFacts {
  CredentialState credential = CredentialState::kUnknown;
  bool is_operator = false;
  bool is_service = false;
  TenantPtr tenant;  // null: unknown name
  bool user_suspended = false;
  bool reads_only = false;  // by the permission on the tenant, or the token's scope
  bool writes = false;      // the request changes something
  std::string_view origin;  // a web page's, other than our own; empty: none
};

// Returns UNAUTHENTICATED, AUTH_EXPIRED, NOT_FOUND (an operator named an unknown tenant) or FORBIDDEN.
protocol::Status DecideConnect(const ConnectFacts& facts, Purpose purpose);

// Whether a decision refuses the page regardless of its user; the page must not read that error either.
bool RefusesPage(const protocol::Error& error);

}  // namespace parley::accounts
