// The complete bytes of files, by tenant and name. Equal files of a tenant have one name, the SHA-256 of
// their bytes in hexadecimal; "{sha256}-thumb" is a variant of the file.
//
// Thread contract: blocking; any thread. Bytes never change under a name.
#pragma once

#include <cstdint>
#include <functional>
#include <memory>
#include <optional>
#include <string>
#include <string_view>

#include "protocol/base/ids.h"
#include "protocol/base/result.h"

namespace parley::features {

class BlobReader {
 public:
  virtual ~BlobReader() = default;
  virtual int64_t size() const = 0;
  virtual protocol::Result<std::string> ReadAt(int64_t offset, size_t size) = 0;
};

class BlobStore {
 public:
  virtual ~BlobStore() = default;
  // Stores the bytes of the local file `path`, which stays. They are on disk when this returns. Does nothing
  // if the name exists.
  virtual protocol::Status Put(const protocol::TenantId& tenant, const std::string& blob,
                               const std::string& path) = 0;
  // nullptr: no such blob.
  virtual protocol::Result<std::unique_ptr<BlobReader>> Open(const protocol::TenantId& tenant,
                                                             const std::string& blob) = 0;
  // A blob that is missing already is no failure.
  virtual protocol::Status Remove(const protocol::TenantId& tenant, const std::string& blob) = 0;
  // Names every blob of every tenant, in no order; ends early if `next` returns false.
  using Next = std::function<bool(const protocol::TenantId& tenant, const std::string& blob)>;
  virtual protocol::Status List(const Next& next) = 0;
};

// Blobs as files DIR/{tenant}/{name}, mode 0600.
std::unique_ptr<BlobStore> NewDirectoryBlobs(std::string directory);

}  // namespace parley::features
