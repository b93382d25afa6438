// The settings of a tenant: one table of names, types and bounds. The stored form is JSON with only the
// settings that were set; the others have their defaults.
//
// Names are in camelCase, as in the HTTP API. Values, any thread.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "accounts/limits/limit_settings.h"
#include "accounts/tenants/file_settings.h"
#include "accounts/tenants/request_settings.h"
#include "accounts/tenants/safety_settings.h"
#include "protocol/base/result.h"
#include "protocol/events.h"
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

// A durable event of threads: "message.created".
struct EventType {
  protocol::EventKind kind;
  static std::optional<EventType> FromText(std::string_view text);
  std::string ToText() const { return std::string(protocol::NameOf(kind)); }
};

// A folder, or a set of folders, beyond the standard ones: "starred", "g2".
struct FolderName {
  std::string value;
  static std::optional<FolderName> FromText(std::string_view text);
  const std::string& ToText() const { return value; }
};

struct EventSettings {
  protocol::Omit<protocol::List<EventType, 64>> types;
  static constexpr void Fields(auto& field) {
    field("types", &EventSettings::types,
          "the domain events that become integration events; none by default");
  }
};

inline constexpr size_t kSettingsBytesMax = 64 * 1024;  // as JSON
struct TenantSettings {
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
  protocol::Omit<EventSettings> events;
  protocol::Omit<LimitSettings> limits;
  Safety safety;
  protocol::Omit<RequestSettings> message_requests;
  protocol::Omit<FileSettings> files;
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
    using T = TenantSettings;
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
    field("events", &T::events, "integration events");
    field("limits", &T::limits, "rates and quotas");
    field("safety", &T::safety, "rules of moderation, and switches of messaging");
    field("messageRequests", &T::message_requests, "rules between strangers");
    field("files", &T::files, "sizes, types and quotas of uploads");
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

// Settings as JSON text, `{}` or a map of those that are set. BAD_REQUEST with `fields`.
protocol::Result<TenantSettings> ParseSettings(const std::string& json);
// Applies a change (RFC 7396, at every depth): null removes a member. Errors as ParseSettings.
protocol::Result<std::string> MergeSettings(const std::string& json, const std::string& patch);

}  // namespace parley::accounts

template <>
struct parley::protocol::EnumNames<parley::accounts::StaffAccess> {
  static constexpr std::string_view kNames[] = {"all", "cases"};
};
template <>
struct parley::protocol::EnumNames<parley::accounts::CardPort> {
  static constexpr std::string_view kNames[] = {"booking", "payment", "cases", "scan", "events"};
};
