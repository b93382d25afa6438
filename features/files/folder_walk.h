// Walks over the files of all tenants in a directory, DIR/{tenant}/{name}, in steps: both levels stay open
// between them. It may miss a file that is added or removed after its beginning.
//
// Thread contract: blocking; one thread at a time.
#pragma once

#include <filesystem>
#include <optional>
#include <string>

#include "protocol/base/ids.h"
#include "protocol/base/time.h"

namespace parley::features {

class FolderWalk {
 public:
  // A directory that is missing or cannot be read has no files.
  explicit FolderWalk(const std::string& directory);

  struct Found {
    protocol::TenantId tenant;
    std::string name, path;
    protocol::Time written_at;
  };
  std::optional<Found> Next();  // nullopt: the end

 private:
  // Goes on to the next tenant once all files of one are read. Returns false at the end.
  bool HasFile();

  std::filesystem::directory_iterator folders_, files_;
  protocol::TenantId tenant_;
};

// When the bytes of a file were last written; nullopt if there is no such file.
std::optional<protocol::Time> WrittenAt(const std::string& path);

}  // namespace parley::features
