#include "features/settings.h"

#include "features/all.h"

namespace parley::features {

protocol::Status CheckSettings(const std::string& json) {
  PARLEY_CHECK_OK(accounts::ParseSettingsAs<TenantSettings>(json));
  for (const Feature* feature : AllFeatures()) {
    if (feature->check_settings) PARLEY_CHECK_OK(feature->check_settings(json));
  }
  return protocol::Ok();
}

TenantSettings SettingsOf(const accounts::Tenant& tenant) {
  return tenant.settings.of_features.Of<TenantSettings>();
}

TenantAnswer AnswerOf(const accounts::Tenant& tenant) {
  return {FormOf(tenant, SettingsOf(tenant))};
}

}  // namespace parley::features
