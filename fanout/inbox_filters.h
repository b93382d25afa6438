// Lists the filters of inbox.list other than folders, one line each: the argument, its bits of a cell, and
// how an entry and a requested value map to those bits. The matching cells, the bits of an entry's cell and
// the query text that a cursor is bound to all derive from this table. A new filter is an argument, bits in
// cells.h, and a line.
//
// A label is not a bit: its entries have ranges of their own (fanout/keys.h).
#pragma once

#include <string>
#include <tuple>

#include "fanout/cells.h"

namespace parley::fanout {

template <class T>
struct InboxFilter {
  std::string_view name;
  std::optional<T> protocol::InboxList::Args::*asked;
  uint16_t mask;
  uint16_t (*bits)(const T&);
  T (*of)(const protocol::Entry&);
};

namespace inbox_filters {
using Args = protocol::InboxList::Args;
using protocol::Entry;

constexpr uint16_t KindBits(const protocol::ThreadKind& kind) {
  switch (kind) {
    case protocol::ThreadKind::kInquiry:
      return 0;
    case protocol::ThreadKind::kProject:
      return kProjectBit;
    case protocol::ThreadKind::kDirect:
      return kPeersBit;
    case protocol::ThreadKind::kGroup:
      return kKindBits;
  }
  return 0;
}
constexpr uint16_t StatusBits(const protocol::ThreadStatus& status) {
  if (status == protocol::ThreadStatus::kOpen) return 0;
  return status == protocol::ThreadStatus::kLocked ? kLockedBit : kClosedBit;
}
template <CellBit bit>
constexpr uint16_t Flag(const bool& on) {
  return on ? bit : 0;
}

inline constexpr std::tuple kTable(
    InboxFilter<protocol::ThreadKind>{"kind", &Args::kind, kKindBits, KindBits,
                                      [](const Entry& entry) { return entry.kind; }},
    InboxFilter<protocol::ThreadStatus>{"status", &Args::status, kLockedBit | kClosedBit, StatusBits,
                                        [](const Entry& entry) { return entry.status; }},
    InboxFilter<bool>{"muted", &Args::muted, kMutedBit, Flag<kMutedBit>,
                      [](const Entry& entry) { return entry.muted; }},
    InboxFilter<bool>{"safeModeRequired", &Args::safe_mode_required, kSafeModeBit, Flag<kSafeModeBit>,
                      [](const Entry& entry) { return entry.safe_mode_required.value_or(false); }});

inline std::string Text(bool value) {
  return value ? "true" : "false";
}
template <protocol::NamedEnum E>
std::string Text(E value) {
  return std::string(protocol::NameOf(value));
}
}  // namespace inbox_filters

// Calls visit(filter) for each.
template <class Visit>
constexpr void ForEachInboxFilter(const Visit& visit) {
  std::apply([&](const auto&... filter) { (visit(filter), ...); }, inbox_filters::kTable);
}

// The bits of an entry that filters select by.
inline uint16_t FilterBitsOf(const protocol::Entry& entry) {
  unsigned bits = 0;
  ForEachInboxFilter([&](const auto& filter) { bits |= filter.bits(filter.of(entry)); });
  return static_cast<uint16_t>(bits);
}

// Narrows *cells by all requested filters. Returns false if no cell matches.
inline bool Narrow(const protocol::InboxList::Args& args, CellFilter* cells) {
  bool any = true;
  ForEachInboxFilter([&](const auto& filter) {
    if (const auto& asked = args.*(filter.asked)) any = any && cells->Add({filter.mask, filter.bits(*asked)});
  });
  return any;
}

// The filters of the query as text: " kind project status muted …".
inline std::string FilterTextOf(const protocol::InboxList::Args& args) {
  std::string out;
  ForEachInboxFilter([&](const auto& filter) {
    const auto& asked = args.*(filter.asked);
    out += " " + std::string(filter.name) + " " + (asked ? inbox_filters::Text(*asked) : "");
  });
  return out;
}

}  // namespace parley::fanout
