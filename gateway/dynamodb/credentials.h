// Authenticates signed requests: the only place where table keys are judged. Thread-safe.
#pragma once

#include <optional>
#include <string>
#include <string_view>

#include "accounts/signing_keys.h"
#include "accounts/table_keys.h"
#include "accounts/tenants/tenant_directory.h"
#include "gateway/dynamodb/errors.h"
#include "gateway/net/transport.h"
#include "protocol/base/clock.h"

namespace parley::gateway {

struct TableCaller {
  protocol::TenantId tenant;
  accounts::TableKeyPtr key;
  int64_t signed_for_s = 0;  // seconds after signing during which the request is valid

  // Returns AccessDeniedException if the key does not allow this on the table, or if a presigned request that
  // writes is valid for more than 15 minutes. `operation`: "PutItem".
  std::optional<DynamoError> Refuse(std::string_view operation, std::string_view table, bool write) const;
};

class TableAuthenticator {
 public:
  TableAuthenticator(accounts::TableKeys& keys, const accounts::TenantDirectory& tenants,
                     const protocol::Clock& clock)
      : keys_(keys), tenants_(tenants), clock_(clock) {}

  // Rejects an unknown access key before it digests the body.
  DynamoResult<TableCaller> Authenticate(const HttpRequest& request);
  // Does the part of Authenticate that needs no body: returns an error unless the request is signed in a
  // known form, recently, with an active access key.
  std::optional<DynamoError> JudgeHead(const HttpRequest& request) const;

 private:
  accounts::TableKeyPtr ActiveKey(const std::string& access_key_id) const;  // nullptr if unknown or revoked

  accounts::TableKeys& keys_;
  const accounts::TenantDirectory& tenants_;
  const protocol::Clock& clock_;
  accounts::SigningKeys signing_keys_;
};

}  // namespace parley::gateway
