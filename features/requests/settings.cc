#include "features/requests/settings.h"

#include "accounts/tenants/demo.h"
#include "features/host/take_setting.h"

namespace parley::features {

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

MessageRequests RequestsBy(const accounts::Tenant& tenant) {
  return RequestsBy(
      tenant.settings.of_features.Of<RequestMember>().message_requests.value.value_or(RequestSettings()));
}

namespace {

bool AsksFirst(const accounts::Tenant& tenant, bool demo_asks) {
  const auto& set = tenant.settings.of_features.Of<RequestMember>().message_requests.value;
  const bool is_set = set && set->enabled.value;
  if (tenant.id.value.text() == accounts::kDemoTenant && !is_set) return demo_asks;
  return RequestsBy(tenant).enabled;
}

}  // namespace

void FillRequestRules(const accounts::Tenant& tenant, bool demo_asks, threads::TenantRules* rules) {
  const MessageRequests requests = RequestsBy(tenant);
  rules->requests.enabled = AsksFirst(tenant, demo_asks);
  rules->requests.ttl_ms = requests.ttl_seconds * 1000;
  rules->requests.credit_cost = requests.credit_cost;
  rules->requests.preview_max = requests.preview_characters;
}

MessageRequests RequestsInForce(const accounts::TenantPtr& tenant, const threads::TenantRules& rules) {
  if (!tenant) return {};
  MessageRequests out = RequestsBy(*tenant);
  out.enabled = rules.requests.enabled;
  return out;
}

}  // namespace parley::features
