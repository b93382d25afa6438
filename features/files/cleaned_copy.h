// Makes a copy of a complete upload without metadata, beside the staged file, and removes it when done.
//
// Thread contract: blocking; any thread that has claimed the upload.
#pragma once

#include <string>
#include <string_view>

#include "features/files/clean/clean.h"
#include "features/files/digest.h"
#include "features/files/posix_file.h"
#include "features/files/staging.h"

namespace parley::features {

// Reads a staged file for the cleaner.
class StagedReader final : public clean::ByteReader {
 public:
  explicit StagedReader(const StagedFile& staged) : staged_(staged) {}  // which must outlive this object
  int64_t size() const override { return staged_.offset(); }
  protocol::Result<std::string> ReadAt(int64_t offset, size_t size) override {
    return staged_.ReadAt(offset, size);
  }

 private:
  const StagedFile& staged_;
};

class CleanedCopy final : public clean::ByteSink {
 public:
  explicit CleanedCopy(const StagedFile& staged);
  ~CleanedCopy() override;

  protocol::Status Append(std::string_view bytes) override;
  // Puts the copy on disk. Call once, after the last Append. REQUIRES: the copy has bytes.
  protocol::Status Finish();
  const std::string& path() const { return path_; }
  const std::string& hash() const { return hash_; }  // SHA-256 in hexadecimal, after Finish

 private:
  const std::string path_;
  PosixFile file_;
  Digest digest_;
  std::string hash_;
  int64_t size_ = 0;
};

// The path of the copy of a staged file.
std::string CleanedPathOf(const std::string& staged_path);

}  // namespace parley::features
