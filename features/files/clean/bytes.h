// The bytes that a cleaner reads and those that it writes.
//
// Thread contract: blocking; one thread at a time for each object.
#pragma once

#include <cstddef>
#include <cstdint>
#include <string>
#include <string_view>

#include "protocol/base/result.h"

namespace parley::features::clean {

class ByteReader {
 public:
  virtual ~ByteReader() = default;
  virtual int64_t size() const = 0;
  // Reads `size` bytes, or fewer at the end.
  virtual protocol::Result<std::string> ReadAt(int64_t offset, size_t size) = 0;
};

class ByteSink {
 public:
  virtual ~ByteSink() = default;
  virtual protocol::Status Append(std::string_view bytes) = 0;
};

}  // namespace parley::features::clean
