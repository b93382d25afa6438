// How an inbox is divided. Each entry lies in exactly one cell: the combination of everything that folders
// and filters ask for. Within a cell entries stand newest first, so any folder, under any filter, in either
// order, is a merge of the cells that answer to it: nothing is sorted, nothing is read and thrown away, and a
// message moves one row of each member, whatever the number of folders. How many entries each cell holds is
// one row per user, written together with the entries: it tells which cells there are to merge, and all
// totals.
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
  kArchivedBit = 1 << 3,  // put away by the owner or by time
  kSnoozedBit = 1 << 4,
  kRequestBit = 1 << 5,  // a message request that its owner has not accepted
  kActionBit = 1 << 6,   // cards wait for somebody
  kLockedBit = 1 << 7,   // the thread's status
  kClosedBit = 1 << 8,   // the thread's status: archived by staff
  kOfferBit = 1 << 9,    // a proposal is among the open cards
  kDisputeBit = 1 << 10,
  kSpamBit = 1 << 11,    // put among the spam by the owner
  kInviteBit = 1 << 12,  // the thread began as an invite
  kPeersBit = 1 << 13,   // a direct thread or a group: nobody is buyer or seller
  kMutedBit = 1 << 14,   // by the owner; a mute's end takes it off
  kSafeModeBit = 1 << 15,
};
inline constexpr uint16_t kKindBits = kProjectBit | kPeersBit;
inline constexpr uint16_t kCellBits = 0xffff;  // all are taken: the next one needs a wider cell

struct Cell {
  uint16_t bits = 0;
  friend auto operator<=>(const Cell&, const Cell&) = default;
};

// What of an entry's thread its folders ask for and the entry itself does not show.
struct CellFacts {
  bool offer = false;
  bool dispute = false;
  bool gated = false;  // its owner was asked to come in, and has not accepted
};
Cell CellOf(const protocol::Entry& entry, const CellFacts& facts);

// Which cells answer: those that have `value` under `mask`.
struct CellFilter {
  uint16_t mask = 0;
  uint16_t value = 0;
  bool Takes(Cell cell) const { return (cell.bits & mask) == value; }
  // Narrows further. False: no cell answers to both.
  bool Add(CellFilter other);
};
CellFilter FilterOf(protocol::Folder folder);

// How many entries each cell of one inbox holds; cells without any are left out.
//   (varint cell | varint count)*, cells ascending
using CellCounts = std::map<Cell, int64_t>;
std::string EncodeCounts(const CellCounts& counts);
bool DecodeCounts(std::string_view payload, CellCounts* out);

}  // namespace parley::fanout
