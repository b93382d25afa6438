// The settings `messageRequests{}` for messages between strangers, as one table of names, defaults, bounds
// and meanings. The checks, the writer and the manual are derived from it. Values, any thread.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "accounts/tenants/tenant.h"
#include "protocol/schema.h"
#include "threads/engine/transaction.h"

namespace parley::features {

// A user's conditions for first messages; the tenant sets one for users without their own.
inline constexpr size_t kContactFieldsMax = 16;
struct ContactFilter {
  bool verified_only = false;
  int64_t min_age = 0;              // 0: no minimum
  std::vector<std::string> fields;  // fields that the first message must contain
  bool empty() const { return !verified_only && min_age == 0 && fields.empty(); }
  friend bool operator==(const ContactFilter&, const ContactFilter&) = default;
};

// The same in its stored and shown form.
struct ContactFilterSettings {
  protocol::Omit<bool> verified_only;
  protocol::Omit<protocol::Bounded<0, 150>> min_age;
  protocol::Omit<protocol::List<protocol::Text<32>, kContactFieldsMax>> fields;
  static constexpr void Fields(auto& field) {
    using T = ContactFilterSettings;
    field("verifiedOnly", &T::verified_only, "only verified users may write (idVerified); false by default");
    field("minAge", &T::min_age, "and at least so many years old; 0 by default: any age");
    field("fields", &T::fields,
          "and says so much with the first message: names such as budget, date or city; none by default");
  }
};
ContactFilter FilterOf(const ContactFilterSettings& settings);

struct MessageRequests {
  bool enabled = true;
  int64_t ttl_seconds = 172'800;
  int64_t monthly_credits = 40;
  int64_t bonus_verified = 20;
  int64_t bonus_trusted = 20;
  int64_t credits_cap = 80;
  int64_t credit_cost = 1;
  bool credits_frozen = false;
  int64_t preview_characters = 140;
  ContactFilter contact_filter;
  friend bool operator==(const MessageRequests&, const MessageRequests&) = default;
};

// The settings that a tenant has set.
struct RequestSettings {
  using Count = protocol::Omit<protocol::Bounded<0, 1'000'000>>;
  protocol::Omit<bool> enabled;
  protocol::Omit<protocol::Bounded<1, 31'536'000>> ttl_seconds;
  Count monthly_credits, bonus_verified, bonus_trusted, credits_cap, credit_cost;
  protocol::Omit<bool> credits_frozen;
  protocol::Omit<protocol::Bounded<0, 140>> preview_characters;
  protocol::Omit<ContactFilterSettings> contact_filters;
  static constexpr void Fields(auto& field) {
    using T = RequestSettings;
    field("enabled", &T::enabled,
          "strangers send a message request first, which costs credits; true by default");
    field("ttlSeconds", &T::ttl_seconds, "time after which an unanswered request expires; 172800 by default");
    field("monthlyCredits", &T::monthly_credits, "credits that a user gets in a month (UTC); 40 by default");
    field("bonusVerified", &T::bonus_verified,
          "in addition, of a user who is verified (idVerified); 20 by default");
    field("bonusTrusted", &T::bonus_trusted,
          "in addition, of a user who is trusted (trustedPro); 20 by default");
    field("creditsCap", &T::credits_cap, "the most that is granted in a month; 80 by default");
    field("creditCost", &T::credit_cost,
          "the cost in credits of a first message to a stranger; 1 by default");
    field("creditsFrozen", &T::credits_frozen, "true: credits cannot be spent; false by default");
    field("previewCharacters", &T::preview_characters,
          "length of the part of the first message that is shown before the answer; 140 by default");
    field("contactFilters", &T::contact_filters,
          "the filter of users who have none of their own; empty by default");
  }
};

// The member of the tenant's settings.
struct RequestMember {
  protocol::Omit<RequestSettings> message_requests;
  static constexpr void Fields(auto& field) {
    field("messageRequests", &RequestMember::message_requests, "rules between strangers");
  }
};

MessageRequests RequestsBy(const RequestSettings& settings);
MessageRequests RequestsBy(const accounts::Tenant& tenant);
// The settings in force: with `enabled` by the tenant's rules. nullptr: the tenant is unknown.
MessageRequests RequestsInForce(const accounts::TenantPtr& tenant, const threads::TenantRules& rules);
// Fills the part of message requests. `demo_asks`: strangers in the demo tenant must ask first, unless its
// settings differ.
void FillRequestRules(const accounts::Tenant& tenant, bool demo_asks, threads::TenantRules* rules);

}  // namespace parley::features
