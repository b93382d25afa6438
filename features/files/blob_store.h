// The complete bytes of files, by tenant and name. Equal files of a tenant have one name, the SHA-256 of
// their bytes in hexadecimal; "{sha256}-thumb" is a variant of the file.
//
// Thread contract: blocking; any thread. Bytes never change under a name.
#pragma once

#include <cstdint>
#include <memory>
#include <string>
#include <string_view>
#include <vector>

#include "protocol/base/ids.h"
#include "protocol/base/result.h"
#include "protocol/base/time.h"

namespace parley::features {

class BlobReader {
 public:
  virtual ~BlobReader() = default;
  virtual int64_t size() const = 0;
  virtual protocol::Result<std::string> ReadAt(int64_t offset, size_t size) = 0;
};

struct ListedBlob {
  protocol::TenantId tenant;
  std::string blob;
  protocol::Time written_at;  // when its bytes were written; they can have got their name later
};

// Lists every blob of every tenant, in no order. One thread at a time.
class BlobList {
 public:
  virtual ~BlobList() = default;
  // Returns at least one more blob, but not many; none at the end.
  virtual protocol::Result<std::vector<ListedBlob>> Next() = 0;
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
  virtual std::unique_ptr<BlobList> List() = 0;
  // A URL by which anybody can fetch the bytes for so many seconds; empty: the store gives none. The other
  // side sends them with these headers.
  struct SentAs {
    std::string mime, disposition;
  };
  virtual std::string LinkTo(const protocol::TenantId& /*tenant*/, const std::string& /*blob*/,
                             const SentAs& /*as*/, protocol::Time /*now*/, int64_t /*seconds*/) {
    return {};
  }
  virtual void Stop() {}  // ends running calls, which fail, and lets later ones fail at once
};

// Whether the names can be parts of a path and of a URL. A store rejects all others.
bool AreBlobNames(const protocol::TenantId& tenant, std::string_view blob);

// The suffixes of the names of a file's variants.
inline constexpr std::string_view kBlobVariants[] = {"-thumb", "-preview", "-blurred"};

// Blobs as files DIR/{tenant}/{name}, mode 0600.
std::unique_ptr<BlobStore> NewDirectoryBlobs(std::string directory);

}  // namespace parley::features
