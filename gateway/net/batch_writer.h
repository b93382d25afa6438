// Writes to many sockets with one system call, through io_uring (io_uring_enter(2)): the write itself is what
// sendmsg does, without waiting. Kernels, containers and operators may forbid io_uring; then there is no
// writer, and each socket writes for itself.
//
// Threads: one, that of the loop that made it.
#pragma once

#include <sys/uio.h>

#include <cstddef>
#include <memory>
#include <vector>

namespace parley::gateway {

// What a socket would write next.
struct Piece {
  int descriptor;
  const iovec* vectors;
  size_t count;
  size_t written = 0;  // bytes; 0 also when nothing could be written, for whatever reason
};

class BatchWriter {
 public:
  static constexpr size_t kPiecesMax = 256;

  static std::unique_ptr<BatchWriter> New();  // null: not available here
  virtual ~BatchWriter() = default;
  // Writes a part of each piece, as much as its socket accepts now. REQUIRES: at most kPiecesMax.
  virtual void Write(std::vector<Piece>* pieces) = 0;
};

}  // namespace parley::gateway
