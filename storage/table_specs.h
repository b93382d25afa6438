// The tables of the store, as data: the shape of their partitions, and whether their rows are derived from
// others. To add a table: add a tag (key_tags.h), a line here, and the codec of its keys in the folder that
// owns it.
#pragma once

#include <cstdint>
#include <iterator>
#include <string_view>

#include "storage/key_tags.h"

namespace parley::storage {

// The part of a key between the table's tag and the sort key.
enum class PartitionShape : uint8_t {
  kNothing,     // one partition per tenant; for kStore: one for the store, without a tenant
  kUlid,        // 16 bytes
  kText,        // text up to a NUL
  kTaggedText,  // a byte, then text up to a NUL
};

struct TableSpec {
  TableTag tag;
  PartitionShape shape;
  // Fan-out writes a derived table's rows from other rows: only fanout/ names the table (tests/levels), its
  // rows are in files of their own, and `kept` is their retention.
  bool derived = false;
  std::string_view rows = {};  // a derived table: its rows' description for docs/retention.md
  std::string_view kept = {};
};

inline constexpr TableSpec kTableSpecs[] = {
    {.tag = TableTag::kStore, .shape = PartitionShape::kNothing},
    {.tag = TableTag::kThreads, .shape = PartitionShape::kUlid},
    {.tag = TableTag::kUsers, .shape = PartitionShape::kText},
    {.tag = TableTag::kInboxIndex,
     .shape = PartitionShape::kText,
     .derived = true,
     .rows = "inbox entries, labels, counts",
     .kept = "while the membership lasts"},
    {.tag = TableTag::kProjectIndex,
     .shape = PartitionShape::kTaggedText,
     .derived = true,
     .rows = "project index",
     .kept = "while the thread's binding lasts"},
    {.tag = TableTag::kPlacement,
     .shape = PartitionShape::kUlid,
     .derived = true,
     .rows = "placements and seats",
     .kept = "while the thread, and the membership, lasts"},
    {.tag = TableTag::kEffectFeed,
     .shape = PartitionShape::kNothing,
     .derived = true,
     .rows = "effect feed",
     .kept = "while its OUT# exists"},
    {.tag = TableTag::kWake,
     .shape = PartitionShape::kNothing,
     .derived = true,
     .rows = "wakes: timed work",
     .kept = "until it is done"},
    {.tag = TableTag::kItems, .shape = PartitionShape::kText},
    {.tag = TableTag::kItemExpiry, .shape = PartitionShape::kNothing},
    {.tag = TableTag::kQuotas, .shape = PartitionShape::kText},
    {.tag = TableTag::kAudit, .shape = PartitionShape::kNothing},
};

namespace table_specs_internal {
constexpr bool Ascend() {
  for (size_t i = 1; i < std::size(kTableSpecs); ++i) {
    if (kTableSpecs[i].tag <= kTableSpecs[i - 1].tag) return false;
  }
  return true;
}
static_assert(Ascend(), "one line for each table, in order of the tags");
}  // namespace table_specs_internal

// Returns nullptr if no table has this tag.
constexpr const TableSpec* FindSpec(TableTag tag) {
  for (const TableSpec& spec : kTableSpecs) {
    if (spec.tag == tag) return &spec;
  }
  return nullptr;
}

}  // namespace parley::storage
