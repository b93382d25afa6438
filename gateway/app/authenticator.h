// Authenticates callers: the only place where credentials are judged, for sockets, ops and administration.
// The facts that it finds are judged by the connect decision (accounts/tokens/connect.h).
//
// Slow work does not run on the loop: slow hashes and public-key signatures have threads of their own, and
// disk reads use the readers' threads. Hashes and signatures are charged to the caller's address first.
//
// Thread-safe: it reads the store through the reader that it is given.
#pragma once

#include <functional>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <variant>

#include "accounts/tenants/tenant_directory.h"
#include "accounts/tokens/connect.h"
#include "accounts/tokens/credential_check_pool.h"
#include "accounts/users/api_key.h"
#include "features/host/identity.h"
#include "gateway/app/config.h"
#include "gateway/app/io_thread.h"
#include "gateway/net/transport.h"
#include "protocol/base/clock.h"
#include "protocol/base/result.h"
#include "threads/model/caller.h"

namespace parley::gateway {

using features::Identity;

struct AuthenticatorSettings {
  bool staff_by_case = false;  // staff may look only into threads with an open case
  std::string operator_key;    // empty: no operator
  std::string demo_key;        // empty: no demo
  storage::Sealer sealer;
};

// A request for access with a credential.
struct Knock {
  std::string credential;
  accounts::Purpose purpose = accounts::Purpose::kOp;
  bool writes = false;
  std::string origin = {};   // the foreign web page's; empty: none
  std::string tenant = {};   // the tenant that an operator names
  std::string address = {};  // the source, whose bad credentials are counted
  // Set if operators have their own listener (admin_listen) and the request came by another one.
  bool is_public = false;
  // The user API key, once its secret is proven.
  struct Proven {
    protocol::TenantId tenant;
    protocol::UserId user;
    std::string key_id;
  };
  std::optional<Proven> proven = {};
};

class Authenticator {
 public:
  Authenticator(const accounts::TenantDirectory& tenants, const protocol::Clock& clock,
                AuthenticatorSettings settings);

  // Returns UNAUTHENTICATED, AUTH_EXPIRED, FORBIDDEN, or the store's error.
  protocol::Result<Identity> Judge(const storage::Reader& reader, const Knock& knock) const;
  // Returns true if the credential needs a public-key signature check that was not made recently. Such checks
  // do not run on I/O loops.
  bool NeedsSignatureCheck(std::string_view credential) const;
  // Checks the signature. A good one is remembered for some minutes, so that Judge need not check it again.
  bool CheckSignature(std::string_view credential) const;
  // Returns true for the operator, who is judged without a tenant. Returns NOT_FOUND for the operator's key
  // on the public listener.
  protocol::Result<bool> IsOperator(const Knock& knock) const;
  // Returns the credential of "Authorization: Bearer …", or nullopt for another form.
  static std::optional<std::string_view> Bearer(std::string_view header);

 private:
  struct Found;
  std::variant<accounts::Claims, accounts::TokenFault> Verify(const accounts::Tenant& tenant,
                                                              const std::string& token) const;
  accounts::TenantPtr TenantOf(std::string_view token) const;
  protocol::Status FindTenantKey(const storage::Reader& reader, const Knock& knock, Found* found) const;
  protocol::Status FindToken(const storage::Reader& reader, const Knock& knock, Found* found) const;
  protocol::Status FindApiKey(const storage::Reader& reader, const Knock& knock, Found* found) const;
  static protocol::Status TakeJudged(const accounts::RecordReads& reads,
                                     protocol::Result<accounts::Judged> judged, Found* found);

  const accounts::TenantDirectory& tenants_;
  const protocol::Clock& clock_;
  const AuthenticatorSettings settings_;
  mutable accounts::ProvenSecrets signatures_;  // tokens, with the fingerprints of their keys
};

// Returns true if operators have their own listener and the request came by another one.
bool IsPublic(const Config& config, const HttpRequest& request);
// Reads the credential of an HTTP request; the caller sets the purpose. Returns UNAUTHENTICATED without one.
protocol::Result<Knock> KnockOf(const Config& config, const HttpRequest& request);

// Checks a credential's signature on the pool for that, if it needs one (NeedsSignatureCheck). Calls `then`
// on the loop, at once if no check is needed, with UNAUTHENTICATED for a bad signature, RATE_LIMITED or
// UNAVAILABLE.
void CheckSignature(IoThread& io, const std::string& credential, const std::string& address,
                    std::function<void(protocol::Status)> then);

// Judges on a snapshot no older than the call: at once, or later through `road` (cold_reads.h).
void Authenticate(IoThread& io, const ReadRoad& road, Knock knock,
                  std::function<void(protocol::Result<Identity>)> then);

}  // namespace parley::gateway
