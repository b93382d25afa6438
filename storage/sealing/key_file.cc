#include "storage/sealing/key_file.h"

#include <fcntl.h>
#include <sys/file.h>

#include <algorithm>

#include "protocol/base/encoding.h"
#include "storage/sealing/private_file.h"

namespace parley::storage {
namespace {

using protocol::Error;
using protocol::ErrorCode;
using Keys = std::vector<SealingKey>;

constexpr const char* kNewFile =
    "# The secrets in a Parley store are sealed with the first key; the others open older ones.\n"
    "# Keep a copy apart from the store and its backups: without this file its secrets are lost.\n";

Error RefuseKeys(const std::string& path, const std::string& why) {
  return Error(ErrorCode::kInternal, "the sealing keys " + path + " " + why);
}

std::string LineOf(const SealingKey& key) {
  return "# key " + key.id.ToText() + "\n" + std::string(kSealingKeyPrefix) + protocol::Hex(key.bytes) + "\n";
}

struct Found {
  std::string text;
  Keys keys;
};
protocol::Result<std::optional<Found>> Find(const std::string& path) {
  PARLEY_TRY(text, ReadPrivateFile(path));
  if (!text) return std::optional<Found>();
  PARLEY_TRY(keys, ParseKeyFile(path, *text));
  return std::optional(Found{*std::move(text), std::move(keys)});
}

// Locks the file's directory, so that two servers that share the file keep each other's keys.
protocol::Result<Keys> Change(const std::string& path, bool adds) {
  const File folder(FolderOf(path), O_RDONLY | O_DIRECTORY);
  if (!folder.is_open() || ::flock(folder.fd(), LOCK_EX) != 0) return CannotDo("lock the directory of", path);
  PARLEY_TRY(found, Find(path));
  if (found && !adds) return std::move(found->keys);
  if (!found && adds) return RefuseKeys(path, "do not exist");
  Keys keys = found ? std::move(found->keys) : Keys();
  if (keys.size() >= kSealingKeysMax) return RefuseKeys(path, "have reached their limit: remove unused ones");
  keys.insert(keys.begin(), SealingKey::Random());
  const std::string text = LineOf(keys.front()) + (found ? found->text : std::string());
  PARLEY_CHECK_OK(ReplacePrivateFile(path, found ? text : kNewFile + text));
  return keys;
}

int DigitOf(char c) {
  if (c >= '0' && c <= '9') return c - '0';
  return c >= 'a' && c <= 'f' ? c - 'a' + 10 : -1;
}

std::optional<SealingKey> ParseKey(std::string_view line) {
  if (!line.starts_with(kSealingKeyPrefix)) return std::nullopt;
  line.remove_prefix(kSealingKeyPrefix.size());
  if (line.size() != 2 * kSealingKeyBytes) return std::nullopt;
  std::string bytes;
  for (size_t i = 0; i < line.size(); i += 2) {
    const int high = DigitOf(line[i]), low = DigitOf(line[i + 1]);
    if (high < 0 || low < 0) return std::nullopt;
    bytes += static_cast<char>(high * 16 + low);
  }
  return SealingKey::FromBytes(std::move(bytes));
}

}  // namespace

protocol::Result<Keys> ParseKeyFile(const std::string& path, std::string_view text) {
  Keys keys;
  for (size_t number = 1; !text.empty(); ++number) {
    const size_t end = text.find('\n');
    if (end == std::string_view::npos) return RefuseKeys(path, "end within a line: the file is cut short");
    const std::string_view line = text.substr(0, end);
    text.remove_prefix(end + 1);
    if (line.empty() || line.front() == '#') continue;
    auto key = ParseKey(line);
    const std::string where = "have in line " + std::to_string(number) + " ";  // never the line itself
    if (!key) return RefuseKeys(path, where + "no key: psk_ and 64 hexadecimal digits");
    if (std::any_of(keys.begin(), keys.end(), [&](const SealingKey& one) { return one.id == key->id; }))
      return RefuseKeys(path, where + "the key " + key->id.ToText() + " once more");
    keys.push_back(*std::move(key));
    if (keys.size() > kSealingKeysMax) return RefuseKeys(path, "are too many");
  }
  if (keys.empty()) return RefuseKeys(path, "hold no key");
  return keys;
}

protocol::Result<std::optional<Keys>> ReadKeyFile(const std::string& path) {
  PARLEY_TRY(found, Find(path));
  if (!found) return std::optional<Keys>();
  return std::optional(std::move(found->keys));
}

protocol::Result<Keys> MakeKeyFile(const std::string& path) {
  return Change(path, /*adds=*/false);
}

protocol::Result<Keys> AddKey(const std::string& path) {
  return Change(path, /*adds=*/true);
}

}  // namespace parley::storage
