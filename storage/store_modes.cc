#include "storage/store_modes.h"

#include <sys/stat.h>

#include <cerrno>
#include <filesystem>

namespace parley::storage {
namespace {

namespace fs = std::filesystem;

constexpr fs::perms kOthers = fs::perms::group_all | fs::perms::others_all;

bool CloseToOthers(const fs::path& path) {
  std::error_code error;
  fs::permissions(path, kOthers, fs::perm_options::remove, error);
  return !error;
}

std::optional<OpenError> CannotCreate(const std::string& dir, const std::error_code& error) {
  const bool denied = error == std::errc::permission_denied || error == std::errc::read_only_file_system;
  return OpenError{denied ? OpenFault::kNoPermission : OpenFault::kOther,
                   "cannot create " + dir + ": " + error.message()};
}

}  // namespace

bool IsOpenToOthers(const std::string& dir) {
  std::error_code error;
  const fs::file_status found = fs::status(dir, error);
  return fs::exists(found) && (found.permissions() & kOthers) != fs::perms::none;
}

std::optional<OpenError> MakePrivate(const std::string& dir) {
  std::error_code error;
  const fs::path path = fs::path(dir).has_filename() ? fs::path(dir) : fs::path(dir).parent_path();
  if (path.has_parent_path()) fs::create_directories(path.parent_path(), error);
  if (error) return CannotCreate(dir, error);
  if (::mkdir(path.c_str(), S_IRWXU) != 0 && errno != EEXIST)
    return CannotCreate(dir, std::error_code(errno, std::generic_category()));
  if (!fs::is_directory(path, error))
    return CannotCreate(dir, std::make_error_code(std::errc::not_a_directory));
  const bool closed = !IsOpenToOthers(path) || CloseToOthers(path);
  for (const auto& entry : fs::directory_iterator(path, error)) {
    if (!entry.is_regular_file(error) || !IsOpenToOthers(entry.path())) continue;
    if (CloseToOthers(entry.path()) || closed) continue;
    return OpenError{OpenFault::kNoPermission, dir + " and files in it are open to other users, and that " +
                                                   "cannot be changed: chmod 700 " + dir};
  }
  return std::nullopt;
}

}  // namespace parley::storage
