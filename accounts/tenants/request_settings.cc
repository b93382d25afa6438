#include "accounts/tenants/request_settings.h"

namespace parley::accounts {
namespace {

template <int64_t Low, int64_t High>
void Take(const protocol::Omit<protocol::Bounded<Low, High>>& said, int64_t* out) {
  if (said.value) *out = said.value->value;
}

}  // namespace

ContactFilter FilterOf(const ContactFilterSettings& settings) {
  ContactFilter out;
  out.verified_only = settings.verified_only.value.value_or(false);
  Take(settings.min_age, &out.min_age);
  if (settings.fields.value) {
    for (const auto& name : settings.fields.value->items) out.fields.push_back(name.value);
  }
  return out;
}

MessageRequests RequestsBy(const RequestSettings& settings) {
  MessageRequests out;
  out.enabled = settings.enabled.value.value_or(out.enabled);
  Take(settings.ttl_seconds, &out.ttl_seconds);
  Take(settings.monthly_credits, &out.monthly_credits);
  Take(settings.bonus_verified, &out.bonus_verified);
  Take(settings.bonus_trusted, &out.bonus_trusted);
  Take(settings.credits_cap, &out.credits_cap);
  Take(settings.credit_cost, &out.credit_cost);
  out.credits_frozen = settings.credits_frozen.value.value_or(out.credits_frozen);
  Take(settings.preview_characters, &out.preview_characters);
  if (settings.contact_filters.value) out.contact_filter = FilterOf(*settings.contact_filters.value);
  return out;
}

}  // namespace parley::accounts
