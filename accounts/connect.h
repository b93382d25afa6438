// The connect decision: who may come in, for what. One order of questions, so that each refusal tells nothing
// of what is asked later: credential, tenant, user, permission, origin.
//
// Limits are asked last, by whoever carries the request out (gateway/rate_limits.h): a decision may be made
// twice, from memory and then from the disk, and must not cost twice; and a repeat is answered before them.
// Only an address that tried too many bad credentials is refused before, whatever it comes with.
//
// Pure, any thread. Whoever calls gathers the facts; a fact that does not concern a caller is left as it is.
#pragma once

#include <optional>
#include <string_view>

#include "accounts/tenants/tenant.h"
#include "protocol/base/result.h"

namespace parley::accounts {

// What somebody comes for.
enum class Purpose : uint8_t {
  kSession,  // a socket
  kOp,       // an op over HTTP, tokens, tables, uploads
  kLook,     // reading what a tenant administers: users, keys, settings
  kChange,   // changing it
};

enum class CredentialState : uint8_t { kUnknown, kExpired, kGood };

struct ConnectFacts {
  CredentialState credential = CredentialState::kUnknown;
  bool is_operator = false;
  bool is_service = false;
  TenantPtr tenant;  // null: none of that name
  bool user_suspended = false;
  bool reads_only = false;  // by the permission on the tenant, or the token's scope
  bool writes = false;      // what is asked for changes something
  std::string_view origin;  // of a web page other than our own; empty: none
};

// UNAUTHENTICATED, AUTH_EXPIRED, NOT_FOUND (an operator names a tenant that is none), FORBIDDEN.
protocol::Status DecideConnect(const ConnectFacts& facts, Purpose purpose);

// Whether a decision refuses the page, whoever sits before it: nor may the page read that.
bool RefusesPage(const protocol::Error& error);

}  // namespace parley::accounts
