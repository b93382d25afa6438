// Writes to many sockets with one system call, through io_uring (io_uring_enter(2)). Each write behaves like
// a non-blocking sendmsg. If the kernel, a container or the operator forbids io_uring, there is no writer,
// and each socket writes by itself.
//
// Threads: the loop that created it.
#pragma once

#include <sys/uio.h>

#include <cstddef>
#include <memory>
#include <vector>

namespace parley::gateway {

// The bytes that a socket would write next.
struct Piece {
  int descriptor;
  const iovec* vectors;
  size_t count;
  size_t written = 0;  // bytes; 0 also on any error
};

class BatchWriter {
 public:
  static constexpr size_t kPiecesMax = 256;

  static std::unique_ptr<BatchWriter> New();  // returns null if io_uring is not available
  virtual ~BatchWriter() = default;
  // Writes as much of each piece as its socket accepts now. REQUIRES: at most kPiecesMax.
  virtual void Write(std::vector<Piece>* pieces) = 0;
};

}  // namespace parley::gateway
