// Uncounted messages: those that were deleted, and those that only some members see. They are kept as
// bitmaps, so that an unread number reads one row for every 4096 messages rather than one per uncounted
// message, and a thread of a million messages has at most 125 KB of them.
//
//   DELS#{block} = varint count | bits: the lowest bit of the first byte is msgNo 4096 * block; bytes of zero
//                  at the end are left out
//
// Earlier versions wrote a row per message, DEL#{msgNo}. Such threads still read correctly, since each msgNo
// is in one form or the other. Changes of a thread convert it in slices, oldest first; a row
// DELS#{kAllFolded} marks that it is converted.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "protocol/base/result.h"
#include "storage/table.h"

namespace parley::threads {

inline constexpr int64_t kBlockMessages = 4096;
inline constexpr int64_t kAllFolded = INT64_MAX;  // no block has this number

struct DeletedBlock {
  int64_t count = 0;
  std::string bits;

  bool Holds(int64_t place) const;
  void Add(int64_t place);  // 0 to kBlockMessages - 1
  int64_t CountAbove(int64_t place) const;
};
std::string EncodeDeletedBlock(const DeletedBlock& block);
// Returns false if the count does not match the bits, or a bit is out of range.
bool DecodeDeletedBlock(std::string_view payload, DeletedBlock* out);

// The uncounted messages of a thread above some msgNo.
class Uncounted {
 public:
  // REQUIRES: ascending.
  void AddBlock(int64_t number, DeletedBlock block);
  void AddRow(int64_t msg_no) { rows_.push_back(msg_no); }
  // The number of uncounted messages above `msg_no`. REQUIRES: `msg_no` is not below the one that was read
  // from.
  int64_t Above(int64_t msg_no) const;
  int64_t size() const { return Above(0); }

 private:
  struct Block {
    int64_t number;
    int64_t through;  // the sum of the counts up to and including this block
    DeletedBlock bits;
  };
  std::vector<Block> blocks_;
  std::vector<int64_t> rows_;
};

class RowReader;
struct Decision;

// Adds the rows for the messages that a decision makes uncounted.
protocol::Status WriteUncounted(const RowReader& rows, const protocol::ThreadId& thread, Decision* decision);

// Converts the next slice of rows from an earlier version; writes nothing once all are converted.
inline constexpr size_t kFoldedAtOnce = 256;  // DEL# rows
struct FoldSlice {
  std::vector<storage::RowWrite> writes;
  bool last = false;
};
protocol::Result<FoldSlice> FoldDeleted(const RowReader& rows, const protocol::ThreadId& thread);

}  // namespace parley::threads
