#include <filesystem>
#include <system_error>
#include <utility>

#include "features/files/blob_store.h"
#include "features/files/posix_file.h"

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

class DirectoryBlobs final : public BlobStore {
 public:
  explicit DirectoryBlobs(std::string directory) : directory_(std::move(directory)) {}

  // A second name for the same bytes: no copy, and the file appears whole or not at all.
  protocol::Status Put(const protocol::TenantId& tenant, const std::string& blob,
                       const std::string& path) override {
    PARLEY_CHECK_OK(MakeDirectories(DirectoryOf(tenant)));
    PARLEY_CHECK_OK(LinkFile(path, PathOf(tenant, blob)));
    return SyncDirectory(DirectoryOf(tenant));
  }

  protocol::Result<std::unique_ptr<BlobReader>> Open(const protocol::TenantId& tenant,
                                                     const std::string& blob) override {
    PARLEY_TRY(file, PosixFile::Open(PathOf(tenant, blob)));
    if (!file) return std::unique_ptr<BlobReader>();
    PARLEY_TRY(size, file->Size());
    return std::unique_ptr<BlobReader>(std::make_unique<FileReader>(*std::move(file), size));
  }

  protocol::Status Remove(const protocol::TenantId& tenant, const std::string& blob) override {
    return RemoveFile(PathOf(tenant, blob));
  }

  protocol::Status List(const Next& next) override {
    namespace fs = std::filesystem;
    std::error_code none;
    for (const auto& folder : fs::directory_iterator(directory_, none)) {
      const auto tenant = protocol::TenantId::FromText(folder.path().filename().string());
      if (!tenant || tenant->ToText().starts_with('.') || !folder.is_directory(none)) continue;
      for (const auto& file : fs::directory_iterator(folder.path(), none)) {
        if (!next(*tenant, file.path().filename().string())) return protocol::Ok();
      }
    }
    return protocol::Ok();
  }

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
