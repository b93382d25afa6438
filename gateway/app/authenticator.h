// From a credential to a caller: the one place where credentials are judged, for sockets, ops and
// administration alike. What it finds out goes through the connect decision (accounts/tokens/connect.h).
//
// Whatever costs more than a look into memory waits elsewhere: slow hashes and signatures of public keys on
// threads of their own, the disk on the readers'. Each is charged to the address that it came from before it
// is made.
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
#include "gateway/app/config.h"
#include "gateway/app/io_thread.h"
#include "gateway/net/transport.h"
#include "protocol/base/clock.h"
#include "protocol/base/result.h"
#include "threads/model/caller.h"

namespace parley::gateway {

struct Identity {
  threads::Caller caller;
  std::optional<protocol::Time> expires_at;  // none: a key that has no end
  bool adult = false;                        // according to the token
  bool is_operator = false;
  std::string key_id;       // of a tenant key or a user API key
  std::string kid;          // of the key that signed the token
  std::string family;       // of refresh tokens, that the token belongs to
  bool reads_only = false;  // they may change nothing
  // Of somebody of whom there is no record and who gets one first (the tenant's setting autoProvision).
  std::shared_ptr<const accounts::Claims> newcomer = {};
};

struct AuthenticatorSettings {
  bool staff_by_case = false;  // staff may look only into threads with an open case
  std::string operator_key;    // empty: nobody is the operator
  std::string demo_key;        // empty: no demo
  storage::Sealer sealer;
};

// What is asked for, with a credential.
struct Knock {
  std::string credential;
  accounts::Purpose purpose = accounts::Purpose::kOp;
  bool writes = false;
  std::string origin = {};   // of a web page other than our own; empty: none
  std::string tenant = {};   // which one an operator means
  std::string address = {};  // from where; bad credentials from there are counted
  // Operators have a listener of their own (admin_listen), and this did not come by it.
  bool is_public = false;
  // Of a user API key, once its secret was proven.
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

  // UNAUTHENTICATED, AUTH_EXPIRED, FORBIDDEN, and what the store says.
  protocol::Result<Identity> Judge(const storage::Reader& reader, const Knock& knock) const;
  // Whether judging it takes the check of a public key's signature, which was not made lately. Such checks
  // are kept off the I/O loops.
  bool NeedsSignatureCheck(std::string_view credential) const;
  // Makes that check; a good signature is remembered for some minutes, so that Judge needs no other.
  bool CheckSignature(std::string_view credential) const;
  // Whether it is the operator, who can be judged without a tenant. NOT_FOUND: it is, where it is not heard.
  protocol::Result<bool> IsOperator(const Knock& knock) const;
  // The credential of "Authorization: Bearer …"; nullopt when the header is something else.
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
  mutable accounts::ProvenSecrets signatures_;  // tokens, against the fingerprints of their keys
};

// Whether a request came by a listener at which operators are not heard, since they have one of their own.
bool IsPublic(const Config& config, const HttpRequest& request);
// What a request over HTTP knocks with; its purpose is for the caller to say. UNAUTHENTICATED: with nothing.
protocol::Result<Knock> KnockOf(const Config& config, const HttpRequest& request);

// Where a credential needs it (NeedsSignatureCheck), checks its signature on the threads for that; `then` is
// called on the loop, at once where nothing is to be checked. UNAUTHENTICATED: it is not good. RATE_LIMITED,
// UNAVAILABLE.
void CheckSignature(IoThread& io, const std::string& credential, const std::string& address,
                    std::function<void(protocol::Status)> then);

// Judges on a view that is no older than the call: now, or later by way of `road` (cold_reads.h).
void Authenticate(IoThread& io, const ReadRoad& road, Knock knock,
                  std::function<void(protocol::Result<Identity>)> then);

}  // namespace parley::gateway
