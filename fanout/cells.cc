#include "fanout/cells.h"

#include "fanout/inbox_filters.h"
#include "protocol/base/varint.h"

namespace parley::fanout {
namespace {

using protocol::Folder;

// The entry appears in none of the folders of active threads.
constexpr uint16_t kHidden = kArchivedBit | kSnoozedBit | kRequestBit | kSpamBit;

constexpr CellFilter FolderCells(uint16_t with, uint16_t without = 0) {
  return {static_cast<uint16_t>(kHidden | with | without), with};
}

}  // namespace

Cell CellOf(const protocol::Entry& entry, const CellFacts& facts) {
  uint16_t bits = 0;
  const auto set = [&](bool on, CellBit bit) { bits = static_cast<uint16_t>(bits | (on ? bit : 0)); };
  set(entry.unread > 0, kUnreadBit);
  set(entry.pinned, kPinnedBit);
  set(entry.archived, kArchivedBit);
  set(entry.snoozed_until || entry.snoozed_until_event.value, kSnoozedBit);
  set(facts.gated, kRequestBit);
  set(entry.open_cards > 0, kActionBit);
  set(facts.offer, kOfferBit);
  set(facts.dispute, kDisputeBit);
  set(entry.spam.value.value_or(false), kSpamBit);
  set(entry.subtype.value == protocol::ThreadSubtype::kInvite, kInviteBit);
  return {static_cast<uint16_t>(bits | FilterBitsOf(entry))};
}

bool CellFilter::Add(CellFilter other) {
  const uint16_t both = mask & other.mask;
  if ((value & both) != (other.value & both)) return false;
  mask |= other.mask;
  value |= other.value;
  return true;
}

CellFilter FilterOf(Folder folder) {
  switch (folder) {
    case Folder::kAll:
      return FolderCells(0);
    case Folder::kUnread:
      return FolderCells(kUnreadBit);
    case Folder::kPinned:
    case Folder::kStarred:
      return FolderCells(kPinnedBit);
    case Folder::kArchived:
      return {kArchivedBit | kRequestBit | kSpamBit, kArchivedBit};
    case Folder::kSnoozed:
      return {kHidden, kSnoozedBit};
    case Folder::kRequests:
      return {kRequestBit | kSpamBit, kRequestBit};
    case Folder::kAction:
      return FolderCells(kActionBit);
    case Folder::kInquiries:
      return FolderCells(0, kKindBits | kInviteBit);
    case Folder::kInvites:
      return FolderCells(kInviteBit, kKindBits);
    case Folder::kBookings:
      return FolderCells(kProjectBit, kPeersBit);
    case Folder::kOffers:
      return FolderCells(kOfferBit);
    case Folder::kDisputes:
      return FolderCells(kDisputeBit);
    case Folder::kSpam:
      return {kSpamBit, kSpamBit};
  }
  return {};
}

std::string EncodeCounts(const CellCounts& counts) {
  std::string out;
  for (const auto& [cell, count] : counts) {
    protocol::AppendVarint(&out, cell.bits);
    protocol::AppendVarint(&out, static_cast<uint64_t>(count));
  }
  return out;
}

bool DecodeCounts(std::string_view payload, CellCounts* out) {
  while (!payload.empty()) {
    uint64_t cell, count;
    if (!protocol::TakeVarint(&payload, &cell) || !protocol::TakeVarint(&payload, &count)) return false;
    if (cell > kCellBits || count == 0) return false;
    if (!out->emplace(Cell{static_cast<uint16_t>(cell)}, static_cast<int64_t>(count)).second) return false;
  }
  return true;
}

}  // namespace parley::fanout
