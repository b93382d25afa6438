#include "features/files/folder_walk.h"

#include <sys/stat.h>

#include <system_error>
#include <utility>

namespace parley::features {

namespace fs = std::filesystem;

std::optional<protocol::Time> WrittenAt(const std::string& path) {
  struct stat facts {};
  if (::stat(path.c_str(), &facts) != 0) return std::nullopt;
  return protocol::Time{facts.st_mtim.tv_sec * 1000 + facts.st_mtim.tv_nsec / 1'000'000};
}

FolderWalk::FolderWalk(const std::string& directory) {
  std::error_code none;
  folders_ = fs::directory_iterator(directory, none);
}

bool FolderWalk::HasFile() {
  std::error_code none;
  while (files_ == fs::directory_iterator()) {
    if (folders_ == fs::directory_iterator()) return false;
    const fs::path folder = folders_->path();
    folders_.increment(none);
    const auto tenant = protocol::TenantId::FromText(folder.filename().string());
    if (!tenant || tenant->ToText().starts_with('.')) continue;
    tenant_ = *tenant;
    files_ = fs::directory_iterator(folder, none);
  }
  return true;
}

std::optional<FolderWalk::Found> FolderWalk::Next() {
  std::error_code none;
  while (HasFile()) {
    const fs::path path = files_->path();
    files_.increment(none);
    if (const auto at = WrittenAt(path.string()))
      return Found{tenant_, path.filename().string(), path.string(), *at};
  }
  return std::nullopt;
}

}  // namespace parley::features
