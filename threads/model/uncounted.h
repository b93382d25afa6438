// Uncounted messages: those deleted, and those that not everybody may see. They are kept as bitmaps, so that
// an unread number costs a row for every 4096 messages rather than one for each that is left out, and so that
// a thread of a million messages has at most 125 KB of them.
//
//   DELS#{block} = varint count | bits: the lowest bit of the first byte is msgNo 4096 * block; bytes of zero
//                  at the end are left out
//
// Earlier versions wrote a row for each, DEL#{msgNo}. Such threads still read correctly: each msgNo is in one
// or the other. A thread is converted in slices, oldest first, as it changes; a row DELS#{kAllFolded} says
// that nothing is left to do.
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
// False if the count is not that of the bits, or a bit is out of range.
bool DecodeDeletedBlock(std::string_view payload, DeletedBlock* out);

// The uncounted messages of a thread above some msgNo.
class Uncounted {
 public:
  // REQUIRES: ascending.
  void AddBlock(int64_t number, DeletedBlock block);
  void AddRow(int64_t msg_no) { rows_.push_back(msg_no); }
  // How many there are above `msg_no`. REQUIRES: not below what was read.
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

// Turns the messages that a decision makes uncounted into rows of it.
protocol::Status WriteUncounted(const RowReader& rows, const protocol::ThreadId& thread, Decision* decision);

// The next slice of what an earlier version left: writes nothing if all is done.
inline constexpr size_t kFoldedAtOnce = 256;  // DEL# rows
struct FoldSlice {
  std::vector<storage::RowWrite> writes;
  bool last = false;
};
protocol::Result<FoldSlice> FoldDeleted(const RowReader& rows, const protocol::ThreadId& thread);

}  // namespace parley::threads
