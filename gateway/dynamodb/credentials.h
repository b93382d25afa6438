// From a signed request to who signed it: the one place where table keys are judged.
// Thread-safe.
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
  int64_t signed_for_s = 0;  // how long the request may be sent again, from its signature on

  // AccessDeniedException where the key does not open this table for this, or a presigned request that
  // writes is valid for more than 15 minutes. `operation`: "PutItem".
  std::optional<DynamoError> Refuse(std::string_view operation, std::string_view table, bool write) const;
};

class TableAuthenticator {
 public:
  TableAuthenticator(accounts::TableKeys& keys, const accounts::TenantDirectory& tenants,
                     const protocol::Clock& clock)
      : keys_(keys), tenants_(tenants), clock_(clock) {}

  // An unknown access key costs no digest: its requests are refused before their bodies are looked at.
  DynamoResult<TableCaller> Authenticate(const HttpRequest& request);
  // The part of it that needs no body: whether the request is signed in a known form, lately, with an access
  // key that is active.
  std::optional<DynamoError> JudgeHead(const HttpRequest& request) const;

 private:
  accounts::TableKeyPtr ActiveKey(const std::string& access_key_id) const;  // nullptr: there is none

  accounts::TableKeys& keys_;
  const accounts::TenantDirectory& tenants_;
  const protocol::Clock& clock_;
  accounts::SigningKeys signing_keys_;
};

}  // namespace parley::gateway
