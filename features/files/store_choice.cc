#include "features/files/store_choice.h"

#include <utility>

#include "features/files/s3_blobs.h"

namespace parley::features {

std::string FilesDirectory(const OptionText& option) {
  const std::string chosen = option("files_dir");
  return chosen.empty() ? option("data") + "/files" : chosen;
}

protocol::Result<std::unique_ptr<BlobStore>> MakeBlobStore(const OptionText& option, StoreHealth& health) {
  PARLEY_TRY(settings, ReadS3Settings(option));
  if (settings) return NewS3Blobs(*std::move(settings), health);
  return NewDirectoryBlobs(FilesDirectory(option));
}

protocol::Status CheckStoreOptions(const OptionText& option) {
  auto settings = ReadS3Settings(option);
  return settings.ok() ? protocol::Ok() : protocol::Status(std::move(settings.error()));
}

}  // namespace parley::features
