// Divides an inbox into cells. Each entry lies in exactly one cell: the combination of all properties that
// folders and filters select by. A cell lists its entries newest first, so any folder, under any filter, in
// either order, is a merge of the matching cells: no read sorts or discards rows, and a message moves one row
// of each member, whatever the number of folders. One row per user counts the entries of each cell and is
// written together with the entries; it lists the cells to merge and gives all totals.
#pragma once

#include <cstdint>
#include <map>
#include <optional>
#include <string>
#include <string_view>

#include "protocol/ops/inbox.h"

namespace parley::fanout {

// Bits of a cell. WARNING: on disk, never renumber.
enum CellBit : uint16_t {
  kUnreadBit = 1 << 0,
  kPinnedBit = 1 << 1,
  kProjectBit = 1 << 2,   // the kind: an inquiry has neither this nor kPeersBit, a group has both
  kArchivedBit = 1 << 3,  // archived by the owner or automatically
  kSnoozedBit = 1 << 4,
  kRequestBit = 1 << 5,  // a message request that the owner has not accepted
  kActionBit = 1 << 6,   // open cards wait for an answer
  kLockedBit = 1 << 7,   // the thread's status
  kClosedBit = 1 << 8,   // the thread's status: archived by staff
  kOfferBit = 1 << 9,    // a proposal is among the open cards
  kDisputeBit = 1 << 10,
  kSpamBit = 1 << 11,    // marked as spam by the owner
  kInviteBit = 1 << 12,  // the thread began as an invite
  kPeersBit = 1 << 13,   // a direct thread or a group: without buyer and seller
  kMutedBit = 1 << 14,   // by the owner; cleared when the mute ends
  kSafeModeBit = 1 << 15,
};
inline constexpr uint16_t kKindBits = kProjectBit | kPeersBit;
inline constexpr uint16_t kCellBits = 0xffff;  // all are taken: the next one needs a wider cell

struct Cell {
  uint16_t bits = 0;
  friend auto operator<=>(const Cell&, const Cell&) = default;
};

// Properties of the thread that folders select by and that the entry itself does not show.
struct CellFacts {
  bool offer = false;
  bool dispute = false;
  bool gated = false;  // the owner was invited and has not accepted
};
Cell CellOf(const protocol::Entry& entry, const CellFacts& facts);

// Selects the cells whose bits under `mask` equal `value`.
struct CellFilter {
  uint16_t mask = 0;
  uint16_t value = 0;
  bool Takes(Cell cell) const { return (cell.bits & mask) == value; }
  // Narrows the filter. Returns false if no cell matches both.
  bool Add(CellFilter other);
};
CellFilter FilterOf(protocol::Folder folder);

// The number of entries in each cell of one inbox, without empty cells.
//   (varint cell | varint count)*, cells ascending
using CellCounts = std::map<Cell, int64_t>;
std::string EncodeCounts(const CellCounts& counts);
bool DecodeCounts(std::string_view payload, CellCounts* out);

}  // namespace parley::fanout
