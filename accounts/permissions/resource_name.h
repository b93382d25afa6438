// Names of resources in requests. Binding checks their form.
//
// Thread-safe: plain values.
#pragma once

#include <optional>
#include <string>
#include <string_view>

#include "accounts/permissions/resource.h"
#include "protocol/value.h"

namespace parley::accounts {

// Names a resource: "tenant", "threads/{threadId}", or "type/id" of the tenant's own. Binding checks the
// form.
struct ResourceName {
  static constexpr std::string_view kSchemaPattern = "^(tenant|[A-Za-z0-9_.:-]{1,64}/[A-Za-z0-9_.:-]{1,64})$";
  std::string text;
};
const char* Read(const protocol::Value& value, ResourceName* out);

// Returns nullopt if the resource is not a thread.
std::optional<protocol::ThreadId> ThreadOf(const ResourceName& name);

}  // namespace parley::accounts
