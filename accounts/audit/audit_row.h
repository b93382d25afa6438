// The rows of a tenant's audit chain. They are no items of tables: nobody but the chain's writer writes them,
// nothing changes or removes one, and the API of tables does not reach them.
//
//   partition  tenant, kAudit
//   HEAD       01                                       varint entries | hash of the last (32 bytes)
//   ENTRY#     02 seq                                   the entry, as a map (protocol::ChainEntry)
//   AT#        03 ms seq                                empty
//   BY#        04 facet value ms seq                    empty
//
// An entry has one AT# row, and one BY# row for each facet that it names. Times are those of the acts, which
// may be chained in another order.
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
enum class AuditFacet : uint8_t { kThread = 1, kActor = 2, kUser = 3, kCase = 4 };
inline constexpr AuditFacet kAuditFacets[] = {AuditFacet::kThread, AuditFacet::kActor, AuditFacet::kUser,
                                              AuditFacet::kCase};
// What the entry says of it; nullopt: nothing.
std::optional<std::string> FacetOf(const protocol::AuditFacts& facts, AuditFacet facet);

// An entry's place in the order of a list.
struct AuditPlace {
  protocol::Time at;
  uint64_t seq = 0;
  friend auto operator<=>(const AuditPlace&, const AuditPlace&) = default;
};

storage::PartitionKey AuditPartition(const protocol::TenantId& tenant);
storage::SortKey AuditHeadKey();
storage::SortKey AuditEntryKey(uint64_t seq);
bool ParseAuditEntryKey(std::string_view sort, uint64_t* seq);
storage::SortKey AuditTimeKey(const AuditPlace& place);
storage::SortKey AuditFacetKey(AuditFacet facet, std::string_view value, const AuditPlace& place);
// From either of the two; the place is their end.
bool ParseAuditPlace(std::string_view sort, AuditPlace* place);
// All index rows that an entry has.
std::vector<storage::SortKey> AuditIndexKeys(const protocol::AuditFacts& facts);

struct AuditHead {
  uint64_t entries = 0;
  std::string hash = std::string(protocol::kNoHash);  // hexadecimal
};
std::string EncodeAuditHead(const AuditHead& head);
[[nodiscard]] bool DecodeAuditHead(std::string_view bytes, AuditHead* out);
[[nodiscard]] bool DecodeChainEntry(std::string_view bytes, protocol::ChainEntry* out);

}  // namespace parley::accounts
