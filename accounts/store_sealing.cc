#include "accounts/store_sealing.h"

#include <algorithm>

#include "storage/engine/sealing_record.h"
#include "storage/sealing/key_file.h"

namespace parley::accounts {
namespace {

using protocol::Error;
using protocol::ErrorCode;
using protocol::Result;
using storage::Sealer;
using storage::SealingKey;
using storage::SealingKeyId;
using Keys = std::vector<SealingKey>;
using Ids = std::vector<SealingKeyId>;

bool Has(const Ids& ids, const SealingKeyId& id) {
  return std::find(ids.begin(), ids.end(), id) != ids.end();
}

std::string Joined(const Ids& ids) {
  std::string out;
  for (const SealingKeyId& id : ids) out += (out.empty() ? "" : ", ") + id.ToText();
  return out;
}

Ids IdsOf(const Keys& keys) {
  Ids ids;
  for (const SealingKey& key : keys) ids.push_back(key.id);
  return ids;
}

Error FromStore(const storage::Status& status) {
  return Error(ErrorCode::kInternal, "the sealed secrets of the store: " + status.detail);
}

Result<Ids> ReadIds(const storage::Table& table) {
  Ids ids;
  if (const auto status = storage::ReadSealingRecord(table, &ids); !status.ok()) return FromStore(status);
  return ids;
}

// The needed keys that must be in a file.
Ids OfFiles(Ids needed) {
  std::erase(needed, SealingKeyId::OfStore());
  return needed;
}

Error NotThere(const Ids& needed, const std::string& path) {
  return Error(ErrorCode::kInternal, "the secrets in this store are sealed with the key " + Joined(needed) +
                                         ", and there is no file " + path +
                                         ". Put the key file back, or name it (sealing_key_file); no other "
                                         "can replace it. Nothing was changed.");
}

Result<Keys> CheckKeys(const Ids& needed, Keys keys, const std::string& path) {
  const Ids found = IdsOf(keys);
  Ids missing;
  for (const SealingKeyId& id : needed) {
    if (!Has(found, id)) missing.push_back(id);
  }
  if (missing.empty()) return keys;
  return Error(ErrorCode::kInternal, "the secrets in this store are sealed with the key " + Joined(missing) +
                                         ", and " + path + " has only " + Joined(found) +
                                         ". It belongs to another store, or is older than this one. "
                                         "Nothing was changed.");
}

Sealer SealerFor(const storage::Table& table, const Ids& in_use, const Keys& keys) {
  return Sealer(keys, Has(in_use, SealingKeyId::OfStore()) ? table.identity().secret : std::string());
}

// Records the newest key before values are sealed with it, and the end of the other keys after no value is
// sealed with them.
Result<OpenedSealing> Settle(storage::Table& table, const Keys& keys, Ids in_use) {
  const SealingKeyId newest = keys.front().id;
  if (in_use == Ids{newest}) return OpenedSealing{Sealer(keys)};
  // Without a record: see sealing_record.h.
  const Originals originals = in_use == Ids{SealingKeyId::OfStore()} ? Originals::kNone : Originals::kMaybe;
  if (!Has(in_use, newest)) {
    in_use.insert(in_use.begin(), newest);
    if (const auto said = storage::WriteSealingRecord(table, in_use); !said.ok()) return FromStore(said);
  }
  OpenedSealing out{SealerFor(table, in_use, keys)};
  if (const auto done = ResealValues(table, out.sealer, originals, &out.values); !done.ok())
    return FromStore(done);
  if (!out.values.AreAllOf(newest)) return out;
  if (const auto said = storage::WriteSealingRecord(table, Ids{newest}); !said.ok()) return FromStore(said);
  out.sealer = Sealer(keys);
  return out;
}

}  // namespace

std::string SealingKeyPath(const std::string& file, const std::string& data) {
  return file.empty() ? data + "/" + std::string(storage::kSealingKeyFile) : file;
}

Result<Sealer> FindSealer(const storage::Table& table, const std::string& path) {
  PARLEY_TRY(in_use, ReadIds(table));
  PARLEY_TRY(found, storage::ReadKeyFile(path));
  const Ids needed = OfFiles(in_use);
  if (!found && !needed.empty()) return NotThere(needed, path);
  if (!found) return SealerFor(table, in_use, {});
  PARLEY_TRY(keys, CheckKeys(needed, *std::move(found), path));
  return SealerFor(table, in_use, keys);
}

Result<OpenedSealing> OpenSealing(storage::Table& table, const std::string& path) {
  PARLEY_TRY(in_use, ReadIds(table));
  PARLEY_TRY(found, storage::ReadKeyFile(path));
  const Ids needed = OfFiles(in_use);
  if (!found && !needed.empty()) return NotThere(needed, path);
  const bool made = !found;
  if (made) {
    PARLEY_TRY(keys, storage::MakeKeyFile(path));
    found = std::move(keys);
  }
  PARLEY_TRY(keys, CheckKeys(needed, *std::move(found), path));
  PARLEY_TRY(opened, Settle(table, keys, std::move(in_use)));
  opened.made_file = made;
  return std::move(opened);
}

Result<OpenedSealing> RotateSealing(storage::Table& table, const std::string& path) {
  PARLEY_TRY(in_use, ReadIds(table));
  PARLEY_TRY(found, storage::ReadKeyFile(path));
  const bool is_settled = found && in_use == Ids{found->front().id};
  if (!is_settled) {
    PARLEY_TRY(opened, OpenSealing(table, path));
    // Otherwise there was nothing to do, or only damaged values are left.
    if (opened.values.resealed > 0) return std::move(opened);
    PARLEY_TRY(left, ReadIds(table));
    in_use = std::move(left);
  }
  PARLEY_TRY(keys, storage::AddKey(path));
  PARLEY_TRY(checked, CheckKeys(OfFiles(in_use), std::move(keys), path));
  return Settle(table, checked, std::move(in_use));
}

}  // namespace parley::accounts
