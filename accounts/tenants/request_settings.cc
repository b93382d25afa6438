#include "accounts/tenants/request_settings.h"

#include "accounts/tenants/take_setting.h"

namespace parley::accounts {
ContactFilter FilterOf(const ContactFilterSettings& settings) {
  ContactFilter out;
  out.verified_only = settings.verified_only.value.value_or(false);
  TakeSetting(settings.min_age, &out.min_age);
  if (settings.fields.value) {
    for (const auto& name : settings.fields.value->items) out.fields.push_back(name.value);
  }
  return out;
}

MessageRequests RequestsBy(const RequestSettings& settings) {
  MessageRequests out;
  out.enabled = settings.enabled.value.value_or(out.enabled);
  TakeSetting(settings.ttl_seconds, &out.ttl_seconds);
  TakeSetting(settings.monthly_credits, &out.monthly_credits);
  TakeSetting(settings.bonus_verified, &out.bonus_verified);
  TakeSetting(settings.bonus_trusted, &out.bonus_trusted);
  TakeSetting(settings.credits_cap, &out.credits_cap);
  TakeSetting(settings.credit_cost, &out.credit_cost);
  out.credits_frozen = settings.credits_frozen.value.value_or(out.credits_frozen);
  TakeSetting(settings.preview_characters, &out.preview_characters);
  if (settings.contact_filters.value) out.contact_filter = FilterOf(*settings.contact_filters.value);
  return out;
}

}  // namespace parley::accounts
