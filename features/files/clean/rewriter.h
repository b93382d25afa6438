// Copies a file with changes, in the order of its bytes. Nothing is written before the first change, so a
// file without metadata costs no write.
//
// Thread contract: blocking; one thread at a time.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>

#include "features/files/clean/bytes.h"
#include "features/files/clean/input.h"

namespace parley::features::clean {

class Rewriter {
 public:
  // `out` is nullptr: only examines the file. Both must outlive this object.
  Rewriter(ByteReader& reader, ByteSink* out) : in_(reader), out_(out) {}

  // All of the file before this offset is done. UNSUPPORTED_TYPE for calls that would go back, or past the
  // end.
  int64_t at() const { return at_; }
  protocol::Status KeepTo(int64_t end);
  protocol::Status DropTo(int64_t end);
  protocol::Status ZeroTo(int64_t end);
  // Writes `bytes` instead of the file's bytes up to `end`. Equal bytes are no change.
  protocol::Status ReplaceTo(int64_t end, std::string_view bytes);
  protocol::Status Put(std::string_view bytes);

  // Keeps the rest of the file. Returns whether anything changed.
  protocol::Result<bool> Finish();
  int64_t size() const { return size_; }  // the result's, after Finish

 private:
  bool MayMoveTo(int64_t end) const { return end >= at_ && end <= in_.size(); }
  protocol::Status Change();
  protocol::Status Flush();
  protocol::Status Write(std::string_view bytes);

  Input in_;
  ByteSink* const out_;
  int64_t at_ = 0;
  int64_t kept_ = 0;  // the bytes [kept_, at_) are kept and not yet written
  int64_t size_ = 0;
  bool changed_ = false;
  std::string buffer_;
};

}  // namespace parley::features::clean
