// Converts keys of the messaging view to texts and back, and ranges of texts to ranges of rows. Texts of each
// kind ascend as their rows do, so that pages of rows are pages of texts:
//
//   pk      THR#thrd_…
//   sk      CARD#msg_… < MSG#2025-11-05T14:12:07.123Z#msg_… < PART#usr_… < TAB#brief < THR
//   GSI1PK  PARTICIPANT#usr_…
//   GSI1SK  251639948872876#2025-11-05T14:12:07.123Z: the milliseconds until the year 10000, so that the
//           newest come first; then the same time for people
//   GSI2PK  LBG#… or LEG#…
//   GSI2SK  2025-11-05T14:12:07.123Z
//
// Pure functions.
#pragma once

#include <optional>
#include <string>
#include <string_view>

#include "fanout/keys.h"
#include "storage/expressions/expressions.h"

namespace parley::fanout {

std::string ThreadText(const ThreadId& thread);
std::optional<ThreadId> ThreadOfText(std::string_view text);

inline constexpr std::string_view kThreadSort = "THR";
std::string CardText(const protocol::MessageId& message);
std::string MessageText(const protocol::MessageId& message);
std::string ParticipantText(const UserId& user);
std::string TabText(protocol::TabName tab);
// Returns nullopt if no row can have this key.
std::optional<protocol::MessageId> CardOfText(std::string_view text);
std::optional<protocol::MessageId> MessageOfText(std::string_view text);
std::optional<UserId> ParticipantOfText(std::string_view text);
std::optional<protocol::TabName> TabOfText(std::string_view text);

std::string InboxText(const UserId& user);
std::optional<UserId> InboxOfText(std::string_view text);
std::string PlaceText(protocol::Time at);
std::optional<protocol::Time> TimeOfPlaceText(std::string_view text);
std::string LbgText(const protocol::LbgId& lbg);
std::string LegText(const protocol::LegId& leg);
std::optional<storage::PartitionKey> ProjectOfText(const TenantId& tenant, std::string_view text);

// Half-open; without an end, it includes all texts from `begin`.
struct TextRange {
  std::string begin;
  std::optional<std::string> end;
  bool Has(std::string_view text) const { return begin <= text && (!end || text < *end); }
};
TextRange TextsOf(const storage::KeyCondition& key);

// Returns the rows of a kind whose texts are in a range, or nullopt. REQUIRES: kCard, kMessage or
// kParticipant.
std::optional<storage::SortRange> RowsOf(storage::ThreadTag kind, const TextRange& texts);
// The same for places within an inbox and for rows of the project index.
std::optional<storage::SortRange> PlacesOf(const TextRange& texts);
std::optional<storage::SortRange> ProjectRowsOf(const TextRange& texts);

}  // namespace parley::fanout
