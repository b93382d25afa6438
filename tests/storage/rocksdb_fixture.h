// A store in a temporary directory, ways to damage it, and the checks of an opening that must fail.
#pragma once

#include <gtest/gtest.h>

#include <fstream>
#include <map>

#include "storage/rocksdb_internal.h"
#include "storage/rocksdb_testing.h"
#include "tests/storage/table_text.h"
#include "tests/storage/temp_dir.h"

namespace parley::storage {

namespace fs = std::filesystem;

using Opened = std::variant<std::unique_ptr<Table>, OpenError>;

inline std::string ReadFile(const fs::path& path) {
  std::ifstream in(path, std::ios::binary);
  return {std::istreambuf_iterator<char>(in), {}};
}
inline void WriteFile(const fs::path& path, std::string_view bytes) {
  std::ofstream(path, std::ios::binary | std::ios::trunc)
      .write(bytes.data(), static_cast<std::streamsize>(bytes.size()));
}

class RocksdbFailure : public testing::Test {
 protected:
  static std::unique_ptr<Table> Succeed(Opened opened) {
    if (const auto* error = std::get_if<OpenError>(&opened)) {
      ADD_FAILURE() << error->message;
      return nullptr;
    }
    return std::move(std::get<0>(opened));
  }
  std::unique_ptr<Table> Open() { return Succeed(OpenRocksdb({.dir = dir_})); }

  // A store with the commits "one" to "three" in its WAL and META in a table file; closed.
  void MakeStore() {
    const auto table = Open();
    ASSERT_NE(table, nullptr);
    for (const char* entry : {"one", "two", "three"}) {
      CommitText(*table, {thread_, {}, {Set(entry, std::string(100, 'x'))}, entry});
    }
  }

  std::map<std::string, std::string> Contents() {
    std::map<std::string, std::string> out;
    for (const auto& entry : fs::recursive_directory_iterator(dir_)) {
      out[entry.path()] = entry.is_regular_file() ? ReadFile(entry.path()) : "";
    }
    return out;
  }
  fs::path FileLike(std::string_view beginning, std::string_view end) {
    fs::path found;
    for (const auto& entry : fs::directory_iterator(dir_)) {
      const std::string name = entry.path().filename();
      if (name.starts_with(beginning) && name.ends_with(end) && entry.path() > found) found = entry.path();
    }
    EXPECT_FALSE(found.empty()) << beginning << "*" << end;
    return found;
  }
  void Garble(const fs::path& path, size_t from, size_t count) {
    std::string bytes = ReadFile(path);
    ASSERT_GE(bytes.size(), from + count) << path;
    for (size_t i = from; i < from + count; ++i) bytes[i] = static_cast<char>(~bytes[i]);
    WriteFile(path, bytes);
  }

  // Expects that the opening is rejected for this reason, with a message, and touches nothing.
  void ExpectRefused(OpenFault fault, const std::vector<std::string>& words, RocksdbSettings settings = {}) {
    settings.dir = dir_;
    const auto before =
        fs::exists(dir_) && fs::is_directory(dir_) ? Contents() : std::map<std::string, std::string>{};
    const auto opened = OpenRocksdb(settings);
    const auto* error = std::get_if<OpenError>(&opened);
    ASSERT_NE(error, nullptr) << "it opened";
    EXPECT_EQ(error->fault, fault) << error->message;
    for (const std::string& word : words)
      EXPECT_NE(error->message.find(word), std::string::npos) << error->message;
    EXPECT_NE(error->message.find(dir_), std::string::npos) << error->message;
    const auto after =
        fs::exists(dir_) && fs::is_directory(dir_) ? Contents() : std::map<std::string, std::string>{};
    EXPECT_EQ(before.size(), after.size());
    EXPECT_TRUE(before == after) << "files were touched";
  }

  // Opens the files without our checks, as a newer version or another program would have written them.
  void WithRawDatabase(const std::function<void(const Database&)>& use) {
    const RocksdbSettings settings{.dir = dir_};
    Database database;
    rocksdb::DB* db = nullptr;
    ASSERT_TRUE(rocksdb::DB::Open(DatabaseOptions(settings, rocksdb::Env::Default()), dir_,
                                  FamilyDescriptors(settings), &database.handles, &db)
                    .ok());
    database.db.reset(db);
    use(database);
  }

  const TempDir temp_;
  const std::string dir_ = temp_.path() + "/store";
  const PartitionKey thread_ = ThreadPartition("acme", 1);
  const PartitionKey inbox_ = InboxPartition("acme", "ann");
};

}  // namespace parley::storage
