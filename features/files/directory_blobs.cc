#include <utility>

#include "features/files/blob_store.h"
#include "features/files/folder_walk.h"
#include "features/files/posix_file.h"
#include "protocol/base/reason.h"

namespace parley::features {
namespace {

class FileReader final : public BlobReader {
 public:
  FileReader(PosixFile file, int64_t size) : file_(std::move(file)), size_(size) {}
  int64_t size() const override { return size_; }
  protocol::Result<std::string> ReadAt(int64_t offset, size_t size) override {
    return file_.ReadAt(offset, size);
  }

 private:
  const PosixFile file_;
  const int64_t size_;
};

protocol::Error BadName() {
  return ErrorFor(protocol::Reason::kStoreUnreadable, "not a name of stored bytes");
}

class DirectoryList final : public BlobList {
 public:
  explicit DirectoryList(const std::string& directory) : walk_(directory) {}

  protocol::Result<std::vector<ListedBlob>> Next() override {
    constexpr size_t kListed = 64;
    std::vector<ListedBlob> out;
    while (out.size() < kListed) {
      auto found = walk_.Next();
      if (!found) break;
      if (AreBlobNames(found->tenant, found->name))
        out.push_back({found->tenant, std::move(found->name), found->written_at});
    }
    return out;
  }

 private:
  FolderWalk walk_;
};

class DirectoryBlobs final : public BlobStore {
 public:
  explicit DirectoryBlobs(std::string directory) : directory_(std::move(directory)) {}

  // A second name for the same bytes: no copy, and the file appears whole or not at all.
  protocol::Status Put(const protocol::TenantId& tenant, const std::string& blob,
                       const std::string& path) override {
    if (!AreBlobNames(tenant, blob)) return BadName();
    PARLEY_CHECK_OK(MakeDirectories(DirectoryOf(tenant)));
    PARLEY_CHECK_OK(LinkFile(path, PathOf(tenant, blob)));
    return SyncDirectory(DirectoryOf(tenant));
  }

  protocol::Result<std::unique_ptr<BlobReader>> Open(const protocol::TenantId& tenant,
                                                     const std::string& blob) override {
    if (!AreBlobNames(tenant, blob)) return BadName();
    PARLEY_TRY(file, PosixFile::Open(PathOf(tenant, blob)));
    if (!file) return std::unique_ptr<BlobReader>();
    PARLEY_TRY(size, file->Size());
    return std::unique_ptr<BlobReader>(std::make_unique<FileReader>(*std::move(file), size));
  }

  protocol::Status Remove(const protocol::TenantId& tenant, const std::string& blob) override {
    if (!AreBlobNames(tenant, blob)) return BadName();
    return RemoveFile(PathOf(tenant, blob));
  }

  std::unique_ptr<BlobList> List() override { return std::make_unique<DirectoryList>(directory_); }

 private:
  std::string DirectoryOf(const protocol::TenantId& tenant) const {
    return directory_ + "/" + tenant.ToText();
  }
  std::string PathOf(const protocol::TenantId& tenant, const std::string& blob) const {
    return DirectoryOf(tenant) + "/" + blob;
  }
  const std::string directory_;
};

}  // namespace

std::unique_ptr<BlobStore> NewDirectoryBlobs(std::string directory) {
  return std::make_unique<DirectoryBlobs>(std::move(directory));
}

}  // namespace parley::features
