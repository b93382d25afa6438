#include "accounts/permissions/resource.h"

namespace parley::accounts {
namespace {

constexpr std::string_view kTenant = "tenant";
constexpr std::string_view kThreads = "threads";

}  // namespace

protocol::Result<Resource> Resource::Parse(const TenantId& tenant, std::string_view text) {
  const auto bad = [](std::string what) { return protocol::Error::BadField("resource", std::move(what)); };
  if (text == kTenant) return Tenant(tenant);
  const size_t slash = text.find('/');
  if (slash == std::string_view::npos) return bad("must be \"tenant\" or of the form type/id");
  const std::string_view type = text.substr(0, slash), id = text.substr(slash + 1);
  if (!protocol::IsTenantChosenId(type) || !protocol::IsTenantChosenId(id))
    return bad("must have 1 to 64 characters of A-Z a-z 0-9 _ . : - on either side of the slash");
  if (type == kThreads) return bad("names a thread, whose participants are managed in the thread");
  if (type == kTenant) return bad("must be \"tenant\" for the tenant itself");
  return Resource(std::string(type), std::string(id));
}

Resource Resource::Tenant(const TenantId& tenant) {
  return {std::string(kTenant), tenant.ToText()};
}

std::string Resource::ToText() const {
  return type_ == kTenant ? type_ : Key();
}

}  // namespace parley::accounts
