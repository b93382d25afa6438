// Messages that count as unread for nobody: deleted ones, and those that not everybody may see. They are kept
// as bitmaps, so that an unread number costs a row for every 4096 messages and not one for each that is left
// out, and so that a thread of a million messages has at most 125 KB of them.
//
//   DELS#{block} = varint count | bits: the lowest bit of the first byte is msgNo 4096 * block; bytes of zero
//                  at the end are left out
//
// Earlier versions wrote a row for each, DEL#{msgNo}. Such a thread is read right: a msgNo is in one or the
// other. It is brought up to date in slices, oldest first, as the thread changes; a row DELS#{kAllFolded}
// says that nothing is left to do.
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
// False where the count is not that of the bits, or a bit lies outside.
bool DecodeDeletedBlock(std::string_view payload, DeletedBlock* out);

// Those of a thread above some msgNo.
class Uncounted {
 public:
  // REQUIRES: ascending.
  void AddBlock(int64_t number, DeletedBlock block);
  void AddRow(int64_t msg_no) { rows_.push_back(msg_no); }
  // How many there are above it. REQUIRES: not below what was read.
  int64_t Above(int64_t msg_no) const;
  int64_t size() const { return Above(0); }

 private:
  struct Block {
    int64_t number;
    int64_t through;  // how many there are in the blocks up to this one
    DeletedBlock bits;
  };
  std::vector<Block> blocks_;
  std::vector<int64_t> rows_;
};

class RowReader;
struct Decision;

// Turns what a decision takes out of the unread numbers into rows of it.
protocol::Status WriteUncounted(const RowReader& rows, const protocol::ThreadId& thread, Decision* decision);

// The next slice of what an earlier version left: nothing to write where all is done.
inline constexpr size_t kFoldedAtOnce = 256;  // DEL# rows
struct FoldSlice {
  std::vector<storage::RowWrite> writes;
  bool last = false;
};
protocol::Result<FoldSlice> FoldDeleted(const RowReader& rows, const protocol::ThreadId& thread);

}  // namespace parley::threads
