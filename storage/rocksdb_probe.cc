#include "storage/rocksdb_probe.h"

#include <fcntl.h>
#include <rocksdb/wal_filter.h>
#include <unistd.h>

#include <algorithm>
#include <filesystem>
#include <fstream>

#include "storage/store_rows.h"

namespace parley::storage {
namespace {

namespace fs = std::filesystem;

OpenError NotAStore(const std::string& dir, const std::string& why) {
  return {OpenFault::kNotAStore,
          dir + " is not a Parley store: " + why + ". Name an empty directory or an existing store."};
}
OpenError NoPermission(const std::string& path) {
  return {OpenFault::kNoPermission, "no permission for " + path + " as user id " + std::to_string(geteuid()) +
                                        ". Run as the user who owns the store, or change its owner."};
}

// Checks the effective user, by which files are opened.
bool MayAccess(const std::string& path, int mode) {
  return faccessat(AT_FDCWD, path.c_str(), mode, AT_EACCESS) == 0;
}

// Files that RocksDB writes before CURRENT, which completes a database.
bool PrecedesCurrent(const std::string& name) {
  return name == "LOCK" || name == "IDENTITY" || name.starts_with("LOG") || name.starts_with("MANIFEST-") ||
         name.starts_with("OPTIONS-") || name.ends_with(".dbtmp") || name == "lost+found" ||
         name == "sealing.key";  // may be put there before the first start
}
bool IsStoreData(const std::string& name) {
  return name.ends_with(".sst") || name.ends_with(".log");
}

std::set<std::string> TablesIn(const std::string& dir) {
  std::set<std::string> out;
  std::error_code ignored;
  for (const auto& entry : fs::directory_iterator(dir, ignored)) {
    if (const std::string name = entry.path().filename(); name.ends_with(".sst")) out.insert(name);
  }
  return out;
}
std::string ContentOfCurrent(const std::string& dir) {
  std::ifstream in(dir + "/CURRENT");
  return {std::istreambuf_iterator<char>(in), {}};
}

// Ends the replay of the WAL at its first record: META is searched in the files only, which takes no time.
class NoReplay final : public rocksdb::WalFilter {
 public:
  WalProcessingOption LogRecord(const rocksdb::WriteBatch&, rocksdb::WriteBatch*, bool*) const override {
    return WalProcessingOption::kStopReplay;
  }
  const char* Name() const override { return "NoReplay"; }
};

rocksdb::Status OpenProbe(const std::string& dir, rocksdb::Env* env, const std::vector<std::string>& families,
                          rocksdb::WalFilter* filter, Database* out) {
  rocksdb::DBOptions options = ProbeOptions(env);
  options.wal_filter = filter;
  std::vector<rocksdb::ColumnFamilyDescriptor> descriptors;
  descriptors.reserve(families.size());
  for (const std::string& family : families) descriptors.emplace_back(family, rocksdb::ColumnFamilyOptions());
  rocksdb::DB* db = nullptr;
  rocksdb::Status opened = rocksdb::DB::OpenForReadOnly(options, dir, descriptors, &out->handles, &db);
  out->db.reset(db);
  return opened;
}

std::optional<OpenError> ReadMeta(const std::string& dir, const Database& database,
                                  std::optional<StoreMeta>* out) {
  std::optional<Row> row;
  if (const Status status = ReadRow(database, {}, Family::kRows, MetaKey(), &row); !status.ok()) {
    return DamagedStore(dir, "META: " + status.detail);
  }
  if (!row) return std::nullopt;
  *out = DecodeMeta(row->payload);
  if (!*out) return DamagedStore(dir, "META cannot be read");
  if ((*out)->format == kStoreFormat) return std::nullopt;
  return OpenError{
      OpenFault::kUnknownFormat,
      "the store in " + dir + " was written by " + (*out)->written_by + " (store format " +
          std::to_string((*out)->format) + "); this program knows format " + std::to_string(kStoreFormat) +
          ((*out)->format > kStoreFormat
               ? ". Use that version, or a newer one."
               : ", which does not read it. Use that version, or begin with an empty directory.")};
}

// A database without META is an unfinished store only if it has no rows.
std::optional<OpenError> ExpectNoRows(const std::string& dir, const Database& database) {
  for (rocksdb::ColumnFamilyHandle* family : database.handles) {
    const std::unique_ptr<rocksdb::Iterator> rows(database.db->NewIterator({}, family));
    rows->SeekToFirst();
    if (rows->Valid()) return NotAStore(dir, "it is a RocksDB database of something else");
    if (!rows->status().ok()) return DescribeOpenFailure(dir, rows->status());
  }
  return std::nullopt;
}

}  // namespace

LeftoverTables::LeftoverTables(std::string dir)
    : dir_(std::move(dir)), current_(ContentOfCurrent(dir_)), before_(TablesIn(dir_)) {}

void LeftoverTables::Remove() const {
  if (ContentOfCurrent(dir_) != current_) return;
  for (const std::string& name : TablesIn(dir_)) {
    std::error_code ignored;
    if (!before_.contains(name)) fs::remove(dir_ + "/" + name, ignored);
  }
}

OpenError DamagedStore(const std::string& dir, const std::string& detail) {
  return {OpenFault::kCorrupt,
          "the store in " + dir + " is damaged (" + detail +
              "). Nothing in it was changed. Check the disk, and restore the store from a backup."};
}

OpenError DescribeOpenFailure(const std::string& dir, const rocksdb::Status& status) {
  const std::string text = status.ToString();
  const auto says = [&](std::string_view words) { return text.find(words) != std::string::npos; };
  if (status.IsCorruption()) return DamagedStore(dir, text);
  if (says("Permission denied")) return NoPermission(dir);
  if (says("/LOCK")) return {OpenFault::kLocked, "the store in " + dir + " is in use by another process."};
  // CURRENT exists, so the database needs the missing file.
  if (status.IsPathNotFound() || says("No such file")) return DamagedStore(dir, text);
  return {OpenFault::kOther, "the store in " + dir + " cannot be opened: " + text};
}

std::optional<OpenError> StoreLock::Take(bool read_only) {
  if (!MayAccess(path_, F_OK)) return std::nullopt;
  if (!MayAccess(path_, R_OK | W_OK)) {
    // A reader without write permission opens the store without a lock.
    return read_only ? std::nullopt : std::optional(NoPermission(path_));
  }
  if (env_->LockFile(path_, &held_).ok()) return std::nullopt;
  const std::string dir = path_.substr(0, path_.rfind('/'));
  return OpenError{
      OpenFault::kLocked,
      "the store in " + dir + " is in use by another process. Stop it first, or name another directory."};
}

void StoreLock::Release() {
  if (held_ != nullptr) env_->UnlockFile(held_).PermitUncheckedError();
  held_ = nullptr;
}

std::optional<OpenError> InspectDirectory(const RocksdbSettings& settings, DirectoryState* out) {
  *out = DirectoryState::kFresh;
  std::error_code error;
  const fs::file_status found = fs::status(settings.dir, error);
  if (error && found.type() == fs::file_type::none) return NoPermission(settings.dir);
  if (found.type() == fs::file_type::not_found) return std::nullopt;
  if (found.type() != fs::file_type::directory) return NotAStore(settings.dir, "it is not a directory");
  const int needed = settings.read_only ? R_OK | X_OK : R_OK | W_OK | X_OK;
  if (!MayAccess(settings.dir, needed)) return NoPermission(settings.dir);

  std::vector<std::string> names;
  for (const auto& entry : fs::directory_iterator(settings.dir, error))
    names.push_back(entry.path().filename());
  if (error) return OpenError{OpenFault::kOther, "cannot list " + settings.dir + ": " + error.message()};
  if (std::find(names.begin(), names.end(), "CURRENT") != names.end()) {
    *out = DirectoryState::kStore;
    return std::nullopt;
  }
  if (std::all_of(names.begin(), names.end(), PrecedesCurrent)) return std::nullopt;
  if (std::any_of(names.begin(), names.end(), IsStoreData))
    return DamagedStore(settings.dir, "CURRENT is missing");
  return NotAStore(settings.dir, "other files are in it");
}

std::optional<OpenError> ProbeStore(const std::string& dir, rocksdb::Env* env,
                                    std::optional<StoreMeta>* out) {
  out->reset();
  std::vector<std::string> families;
  if (const auto listed = rocksdb::DB::ListColumnFamilies(ProbeOptions(env), dir, &families); !listed.ok()) {
    return DescribeOpenFailure(dir, listed);
  }
  for (const std::string& family : families) {
    if (std::find(kFamilyNames.begin(), kFamilyNames.end(), family) == kFamilyNames.end()) {
      return NotAStore(dir, "it is a RocksDB database of something else");
    }
  }
  NoReplay no_replay;
  for (rocksdb::WalFilter* const filter :
       {static_cast<rocksdb::WalFilter*>(&no_replay), static_cast<rocksdb::WalFilter*>(nullptr)}) {
    Database database;
    const rocksdb::Status opened = OpenProbe(dir, env, families, filter, &database);
    if (opened.IsInvalidArgument()) return NotAStore(dir, "it is a RocksDB database of something else");
    if (!opened.ok()) return DescribeOpenFailure(dir, opened);
    if (auto error = ReadMeta(dir, database, out)) return error;
    if (*out) return std::nullopt;
    // META was not in the files: it is in the WAL if the creation was interrupted, or nowhere.
    if (filter == nullptr) return ExpectNoRows(dir, database);
  }
  return std::nullopt;
}

}  // namespace parley::storage
