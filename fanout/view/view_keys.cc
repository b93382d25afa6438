#include "fanout/view/view_keys.h"

#include <array>
#include <cstdio>

namespace parley::fanout {
namespace {

using protocol::MessageId;
using protocol::Time;
using protocol::Ulid;
using storage::KeyWriter;
using storage::SortKey;
using storage::SortRange;
using storage::ThreadTag;

constexpr std::string_view kThreadPrefix = "THR#", kCardPrefix = "CARD#", kMessagePrefix = "MSG#",
                           kParticipantPrefix = "PART#", kTabPrefix = "TAB#", kInboxPrefix = "PARTICIPANT#",
                           kLbgPrefix = "LBG#", kLegPrefix = "LEG#";
constexpr int64_t kLatestMs = 253'402'300'799'999;  // 9999-12-31T23:59:59.999Z
constexpr std::string_view kAboveAll = "~";
constexpr size_t kMessageIdBytes = protocol::MessageKindTag::kPrefix.size() + Ulid::kTextSize;

std::string Join(std::string_view prefix, std::string_view rest) {
  return std::string(prefix).append(rest);
}
bool Cut(std::string_view prefix, std::string_view* text) {
  if (!text->starts_with(prefix)) return false;
  text->remove_prefix(prefix.size());
  return true;
}
template <class Id>
std::optional<Id> IdAfter(std::string_view prefix, std::string_view text) {
  return Cut(prefix, &text) ? Id::FromText(text) : std::nullopt;
}

// A number of N bytes, big-endian.
template <size_t N>
using Bytes = std::array<uint8_t, N>;

// Returns the smallest number whose text is not below `bound`, or nullopt. REQUIRES: texts ascend with
// numbers.
template <size_t N, class TextOf>
std::optional<Bytes<N>> FirstNotBelow(std::string_view bound, const TextOf& text_of) {
  Bytes<N> at{};
  if (text_of(at) >= bound) return at;
  for (size_t bit = 0; bit < N * 8; ++bit) {  // finds the largest one below
    const auto mask = static_cast<uint8_t>(0x80 >> bit % 8);
    at[bit / 8] |= mask;
    if (text_of(at) >= bound) at[bit / 8] ^= mask;
  }
  for (size_t i = N; i-- > 0;) {
    if (++at[i] != 0) return at;
  }
  return std::nullopt;
}

MessageId IdOf(const Bytes<16>& bytes) {
  return MessageId{Ulid{bytes}};
}
int64_t MsOf(const Bytes<6>& bytes) {
  int64_t ms = 0;
  for (const uint8_t byte : bytes) ms = ms << 8 | byte;
  return ms;
}

SortKey FirstParticipant(std::string_view id) {
  const std::string all = threads::RangeOf(ThreadTag::kParticipant).begin.bytes();
  // A key ends with a NUL, which no user's id contains: every key above "a\0…" is above "a".
  const size_t nul = id.find('\0');
  return SortKey(nul == std::string_view::npos ? Join(all, id) : Join(all, id.substr(0, nul)) + '\1');
}

std::optional<SortKey> FirstRow(ThreadTag kind, std::string_view bound) {
  const std::string_view prefix = kind == ThreadTag::kCard      ? kCardPrefix
                                  : kind == ThreadTag::kMessage ? kMessagePrefix
                                                                : kParticipantPrefix;
  if (bound <= prefix) return threads::RangeOf(kind).begin;
  if (!bound.starts_with(prefix)) return std::nullopt;
  if (kind == ThreadTag::kParticipant) return FirstParticipant(bound.substr(prefix.size()));
  const bool card = kind == ThreadTag::kCard;
  const auto first = FirstNotBelow<16>(
      bound, [card](const auto& bytes) { return card ? CardText(IdOf(bytes)) : MessageText(IdOf(bytes)); });
  if (!first) return std::nullopt;
  return card ? threads::CardKey(IdOf(*first)) : threads::MessageKey(IdOf(*first));
}

// `first` returns the first row not below a text. Rows end at `last` if the texts have no end.
template <class First>
std::optional<SortRange> Between(const TextRange& texts, const SortKey& last, const First& first) {
  const auto begin = first(texts.begin);
  if (!begin) return std::nullopt;
  const auto end = texts.end ? first(*texts.end) : std::nullopt;
  SortRange range{*begin, end.value_or(last)};
  if (!range.end.bytes().empty() && range.end <= range.begin) return std::nullopt;
  return range;
}

}  // namespace

std::string ThreadText(const ThreadId& thread) {
  return Join(kThreadPrefix, thread.ToText());
}
std::optional<ThreadId> ThreadOfText(std::string_view text) {
  return IdAfter<ThreadId>(kThreadPrefix, text);
}

std::string CardText(const MessageId& message) {
  return Join(kCardPrefix, message.ToText());
}
std::string MessageText(const MessageId& message) {
  const Time at = message.ulid.time();
  if (at.ms > kLatestMs) return Join(kMessagePrefix, kAboveAll);
  return Join(kMessagePrefix, protocol::FormatTime(at)) + "#" + message.ToText();
}
std::string ParticipantText(const UserId& user) {
  return Join(kParticipantPrefix, user.ToText());
}
std::string TabText(protocol::TabName tab) {
  return Join(kTabPrefix, protocol::NameOf(tab));
}

std::optional<MessageId> CardOfText(std::string_view text) {
  return IdAfter<MessageId>(kCardPrefix, text);
}
std::optional<MessageId> MessageOfText(std::string_view text) {
  if (text.size() < kMessageIdBytes) return std::nullopt;
  const auto id = MessageId::FromText(text.substr(text.size() - kMessageIdBytes));
  return id && MessageText(*id) == text ? id : std::nullopt;
}
std::optional<UserId> ParticipantOfText(std::string_view text) {
  return IdAfter<UserId>(kParticipantPrefix, text);
}
std::optional<protocol::TabName> TabOfText(std::string_view text) {
  return Cut(kTabPrefix, &text) ? protocol::EnumFromName<protocol::TabName>(text) : std::nullopt;
}

std::string InboxText(const UserId& user) {
  return Join(kInboxPrefix, user.ToText());
}
std::optional<UserId> InboxOfText(std::string_view text) {
  return IdAfter<UserId>(kInboxPrefix, text);
}
std::string PlaceText(Time at) {
  char left[24];
  std::snprintf(left, sizeof left, "%015lld#", static_cast<long long>(kLatestMs - at.ms));
  return left + protocol::FormatTime(at);
}
std::optional<Time> TimeOfPlaceText(std::string_view text) {
  const size_t mark = text.find('#');
  if (mark == std::string_view::npos) return std::nullopt;
  const auto at = protocol::ParseTime(text.substr(mark + 1));
  return at && PlaceText(*at) == text ? at : std::nullopt;
}
std::string LbgText(const protocol::LbgId& lbg) {
  return Join(kLbgPrefix, lbg.ToText());
}
std::string LegText(const protocol::LegId& leg) {
  return Join(kLegPrefix, leg.ToText());
}
std::optional<storage::PartitionKey> ProjectOfText(const TenantId& tenant, std::string_view text) {
  if (const auto lbg = IdAfter<protocol::LbgId>(kLbgPrefix, text)) return LbgPartition(tenant, *lbg);
  if (const auto leg = IdAfter<protocol::LegId>(kLegPrefix, text)) return LegPartition(tenant, *leg);
  return std::nullopt;
}

TextRange TextsOf(const storage::KeyCondition& key) {
  using Op = storage::KeyCondition::Op;
  const auto text = [](const storage::AttributeValue& value) { return value.text() ? *value.text() : ""; };
  const std::string low = text(key.low), above = low + '\0';
  switch (key.op) {
    case Op::kNone:
      return {};
    case Op::kEqual:
      return {low, above};
    case Op::kLess:
      return {"", low};
    case Op::kLessOrEqual:
      return {"", above};
    case Op::kGreater:
      return {above, {}};
    case Op::kGreaterOrEqual:
      return {low, {}};
    case Op::kBetween:
      return {low, text(key.high) + '\0'};
    case Op::kBeginsWith:
      break;
  }
  const std::string end = storage::UpperBound(low);
  return {low, end.empty() ? std::nullopt : std::optional(end)};
}

std::optional<SortRange> RowsOf(ThreadTag kind, const TextRange& texts) {
  return Between(texts, threads::RangeOf(kind).end,
                 [kind](std::string_view bound) { return FirstRow(kind, bound); });
}

std::optional<SortRange> PlacesOf(const TextRange& texts) {
  return Between(texts, SortKey(), [](std::string_view bound) -> std::optional<SortKey> {
    const auto first = FirstNotBelow<6>(bound, [](const auto& bytes) {
      const int64_t left = MsOf(bytes);
      return left > kLatestMs ? std::string(kAboveAll) : PlaceText(Time{kLatestMs - left});
    });
    if (!first || MsOf(*first) > kLatestMs) return std::nullopt;
    return KeyWriter().NumberDescending(static_cast<uint64_t>(kLatestMs - MsOf(*first))).Sort();
  });
}

std::optional<SortRange> ProjectRowsOf(const TextRange& texts) {
  return Between(texts, SortKey(), [](std::string_view bound) -> std::optional<SortKey> {
    const auto first = FirstNotBelow<6>(bound, [](const auto& bytes) {
      return MsOf(bytes) > kLatestMs ? std::string(kAboveAll) : protocol::FormatTime(Time{MsOf(bytes)});
    });
    return first ? std::optional(KeyWriter().Number(static_cast<uint64_t>(MsOf(*first))).Sort())
                 : std::nullopt;
  });
}

}  // namespace parley::fanout
