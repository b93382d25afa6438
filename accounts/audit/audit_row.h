// The rows of a tenant's audit chain. They are no items of tables: only the chain's writer writes them, no
// code changes or removes one, and the API of tables does not reach them.
//
//   partition  tenant, kAudit
//   HEAD       01                                       varint entries | hash of the last (32 bytes) |
//                                                       varint ms of the last place
//   ENTRY#     02 seq                                   the entry, as a map (protocol::ChainEntry)
//   AT#        03 ms seq                                empty
//   BY#        04 facet value ms seq                    empty
//   LATE#      04 05 "" 0 seq                           empty
//
// An entry has one AT# row, and one BY# row for each facet that it names. Acts may be chained out of their
// order in time, and lists are in the order of the chain: the time in these keys is that of the latest act up
// to the entry. If the entry's own act is older than that, it has a LATE# row.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "protocol/audit.h"
#include "storage/key.h"

namespace parley::accounts {

// WARNING: on disk, never renumber.
enum class AuditFacet : uint8_t { kThread = 1, kActor = 2, kUser = 3, kCase = 4, kLate = 5 };
inline constexpr AuditFacet kAuditFacets[] = {AuditFacet::kThread, AuditFacet::kActor, AuditFacet::kUser,
                                              AuditFacet::kCase};
// Returns the facet's value in the entry, or nullopt.
std::optional<std::string> FacetOf(const protocol::AuditFacts& facts, AuditFacet facet);

// An entry's place in a list; the order is that of the chain.
struct AuditPlace {
  protocol::Time at;  // the time of the latest act up to this entry
  uint64_t seq = 0;
  friend auto operator<=>(const AuditPlace&, const AuditPlace&) = default;
};

storage::PartitionKey AuditPartition(const protocol::TenantId& tenant);
storage::SortKey AuditHeadKey();
storage::SortKey AuditEntryKey(uint64_t seq);
bool ParseAuditEntryKey(std::string_view sort, uint64_t* seq);
storage::SortKey AuditTimeKey(const AuditPlace& place);
storage::SortKey AuditFacetKey(AuditFacet facet, std::string_view value, const AuditPlace& place);
// Parses both kinds of key; the place is their end.
bool ParseAuditPlace(std::string_view sort, AuditPlace* place);
// For kLate, which is no facet with a value.
storage::SortKey AuditLateKey(uint64_t seq);
// All index rows of an entry. `last`: the time of the previous entry's place.
std::vector<storage::SortKey> AuditIndexKeys(const protocol::AuditFacts& facts, protocol::Time last);

struct AuditHead {
  uint64_t entries = 0;
  std::string hash = std::string(protocol::kNoHash);  // hexadecimal
  protocol::Time last = {};                           // the last entry's place
};
std::string EncodeAuditHead(const AuditHead& head);
[[nodiscard]] bool DecodeAuditHead(std::string_view bytes, AuditHead* out);
[[nodiscard]] bool DecodeChainEntry(std::string_view bytes, protocol::ChainEntry* out);

}  // namespace parley::accounts
