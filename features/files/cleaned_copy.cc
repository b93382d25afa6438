#include "features/files/cleaned_copy.h"

#include "protocol/base/encoding.h"

namespace parley::features {

std::string CleanedPathOf(const std::string& staged_path) {
  return staged_path + ".cleaned";
}

CleanedCopy::CleanedCopy(const StagedFile& staged)
    : path_(CleanedPathOf(staged.path())), digest_(Digest::Kind::kSha256) {}

CleanedCopy::~CleanedCopy() {
  if (size_ > 0) static_cast<void>(RemoveFile(path_).ok());  // Staging::Remove tries again
}

protocol::Status CleanedCopy::Append(std::string_view bytes) {
  if (size_ == 0) {
    // A copy that a crash left can be the stored file itself under another name, so it is never overwritten.
    PARLEY_CHECK_OK(RemoveFile(path_));
    PARLEY_TRY(created, PosixFile::Create(path_));
    file_ = std::move(created);
  }
  PARLEY_CHECK_OK(file_.WriteAt(size_, bytes));
  digest_.Add(bytes);
  size_ += static_cast<int64_t>(bytes.size());
  return protocol::Ok();
}

protocol::Status CleanedCopy::Finish() {
  hash_ = protocol::Hex(digest_.Finish());
  return file_.Sync();
}

}  // namespace parley::features
