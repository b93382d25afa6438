// The settings of a tenant that accounts/ and threads/ use: one table of names, types and bounds. Features
// describe theirs beside it (feature_settings.h). The stored form is JSON with only the settings that were
// set; the others have their defaults.
//
// Names are in camelCase, as in the HTTP API. Values, any thread.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "accounts/limits/limit_settings.h"
#include "accounts/tenants/feature_settings.h"
#include "protocol/base/result.h"
#include "protocol/schema.h"

namespace parley::accounts {

enum class StaffAccess : uint8_t { kAll, kCases };
enum class CardPort : uint8_t { kBooking, kPayment, kCases, kScan, kEvents };

// "https://app.example.com", as browsers send it: scheme, host and port, nothing else.
struct Origin {
  std::string value;
  static std::optional<Origin> FromText(std::string_view text);
  const std::string& ToText() const { return value; }
};

// A folder, or a set of folders, beyond the standard ones: "starred", "g2".
struct FolderName {
  std::string value;
  static std::optional<FolderName> FromText(std::string_view text);
  const std::string& ToText() const { return value; }
};

inline constexpr size_t kSettingsBytesMax = 64 * 1024;  // as JSON
struct CoreSettings {
  template <size_t N>
  using Names = protocol::Omit<protocol::List<protocol::Text<64>, N>>;

  protocol::Omit<protocol::List<Origin, 100>> allowed_origins;
  protocol::Omit<bool> user_projects;
  protocol::Omit<bool> auto_provision;
  protocol::Omit<bool> known_users_only;
  protocol::Omit<protocol::Bounded<0, 60>> refresh_grace_seconds;
  protocol::Omit<protocol::List<FolderName, 16>> folders;
  protocol::Omit<StaffAccess> staff_access;
  protocol::Omit<protocol::List<CardPort, 8>> card_ports;
  protocol::Omit<LimitSettings> limits;
  protocol::Omit<protocol::Text<64>> ai_provider;
  protocol::Omit<protocol::Text<128>> ai_model;
  protocol::Omit<protocol::Text<16384>> system_prompt_override;
  protocol::Omit<protocol::Bounded<1, 1'000'000>> max_tokens_per_message;
  Names<32> enabled_channels;
  Names<256> enabled_skills;
  Names<256> custom_skills;
  protocol::Omit<protocol::Bounded<0, 1'000'000'000>> messages_per_day;
  protocol::Omit<protocol::Bounded<1, 1000>> max_conversation_history;

  static constexpr void Fields(auto& field) {
    using T = CoreSettings;
    field("allowedOrigins", &T::allowed_origins,
          "origins of web pages whose users may connect; none by default");
    field("userProjects", &T::user_projects,
          "users may create project threads; false by default, except in the demo tenant");
    field("autoProvision", &T::auto_provision,
          "a record is made of a user who signs in first; false by default");
    field("knownUsersOnly", &T::known_users_only,
          "only users with a record are brought into threads; true for a new tenant, else false by default");
    field(
        "refreshGraceSeconds", &T::refresh_grace_seconds,
        "for this long after its use a refresh token gets the same answer again, so that a lost answer does "
        "not sign a user out; 10 by default");
    field("folders", &T::folders,
          "inbox folders offered beyond the standard ones, or sets of them; those of the server by default");
    field("staffAccess", &T::staff_access, "all: staff see every thread; cases: those with an open case");
    field("cardPorts", &T::card_ports, "the effects of action cards that the tenant's back end carries out");
    field("limits", &T::limits, "rates and quotas");
    field("aiProvider", &T::ai_provider, "the provider of the tenant's assistants");
    field("aiModel", &T::ai_model, "the model of the tenant's assistants");
    field("systemPromptOverride", &T::system_prompt_override, "the system prompt of the tenant's assistants");
    field("maxTokensPerMessage", &T::max_tokens_per_message,
          "the longest answer of an assistant; 4096 by default");
    field("enabledChannels", &T::enabled_channels, "channels that reach its users; dashboard by default");
    field("enabledSkills", &T::enabled_skills, "skills that its assistants may use");
    field("customSkills", &T::custom_skills, "skills of its own");
    field("messagesPerDay", &T::messages_per_day,
          "messages of the tenant's bots in 24 hours, unless limits set it; 1000 by default");
    field("maxConversationHistory", &T::max_conversation_history,
          "turns that an assistant remembers; 20 by default");
  }
};

// All settings of a tenant, as stored.
struct TenantSettings : CoreSettings {
  FeatureSettings of_features;
};

// Settings as JSON text, `{}` or a map of those that are set. BAD_REQUEST with `fields` for a fault in the
// core's; the features' members are kept unseen.
protocol::Result<TenantSettings> ParseSettings(const std::string& json);
// Parses settings that have only members of T. BAD_REQUEST with `fields`.
template <protocol::Described T>
protocol::Result<T> ParseSettingsAs(const std::string& json);
// Applies a change (RFC 7396, at every depth): null removes a member. Errors as ParseSettings.
protocol::Result<std::string> MergeSettings(const std::string& json, const std::string& patch);

// Prefixes the names of faulty fields with `settings`.
protocol::Error InSettings(protocol::Error error);
protocol::Status DecodeSettings(const std::string& json, protocol::Document* out);

template <protocol::Described T>
protocol::Result<T> ParseSettingsAs(const std::string& json) {
  protocol::Document document;
  PARLEY_CHECK_OK(DecodeSettings(json, &document));
  T out;
  if (auto bound = protocol::Bind(document.root, &out); !bound.ok())
    return InSettings(std::move(bound.error()));
  return out;
}

}  // namespace parley::accounts

template <>
struct parley::protocol::EnumNames<parley::accounts::StaffAccess> {
  static constexpr std::string_view kNames[] = {"all", "cases"};
};
template <>
struct parley::protocol::EnumNames<parley::accounts::CardPort> {
  static constexpr std::string_view kNames[] = {"booking", "payment", "cases", "scan", "events"};
};
