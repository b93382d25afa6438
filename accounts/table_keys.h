// The table keys of all tenants, in memory and on disk: found by access key id before the tenant is known.
//
// Thread-safe. What Find returns is a snapshot; what holds is what it returns next, on every thread: a key
// that RevokeTableKey has answered for is not found active again. Nothing waits for a disk here: the store
// answers later, and only then does a change become visible, and is its caller told.
#pragma once

#include <cstddef>
#include <functional>
#include <memory>
#include <string>
#include <string_view>
#include <unordered_map>
#include <vector>

#include "accounts/table_key.h"
#include "protocol/base/mutex.h"
#include "protocol/base/result.h"
#include "storage/table.h"

namespace parley::accounts {

struct TableKeyRow {
  protocol::TenantId tenant;
  AccessKeyId id;
  std::string record;  // EncodeTableKey
};

// Where the rows are. Put and Remove take effect in the order in which they were called, and return without
// waiting for a disk. `then` is called once, with whether it is durable, on any thread and perhaps within the
// call; it does not call back into the store.
class TableKeyStore {
 public:
  using Then = std::function<void(storage::Status)>;

  virtual ~TableKeyStore() = default;
  virtual void Put(TableKeyRow row, Then then) = 0;
  virtual void Remove(const protocol::TenantId& tenant, const AccessKeyId& id, Then then) = 0;
  // Every row of every tenant; at start, may wait.
  virtual storage::Status List(const std::function<void(TableKeyRow)>& visit) = 0;
};

inline constexpr size_t kTableKeysActiveMax = 100;  // of one tenant
// Together with revoked ones; beyond it, the one that was made first of the revoked ones is forgotten.
inline constexpr size_t kTableKeysMax = 200;
inline constexpr int64_t kTableKeyUseMs = 3600 * 1000;  // how often a use is written down
inline constexpr int64_t kTableKeyRepeatMs = 24 * 3600 * 1000;

using TableKeyPtr = std::shared_ptr<const TableKey>;

class TableKeys {
 public:
  // `store` outlives this; it has called every `then` before this is destroyed.
  TableKeys(TableKeyStore& store, storage::Sealer sealer, RandomSource random);

  // Reads the rows; before anything else. Rows that cannot be read are left out and logged.
  storage::Status Load();

  // nullptr: there is none. A revoked one is found, too.
  TableKeyPtr Find(std::string_view access_key_id) const;
  // nullopt: the record was sealed with another key.
  std::optional<std::string> SecretOf(const TableKey& key) const { return seal_.Open(key); }
  // The key was used successfully.
  void NoteUse(const TableKey& key, protocol::Time now);

  struct Wish {
    std::string name;
    std::vector<std::string> tables;
    bool read_only = false;
    std::string idempotency_key;  // empty: none
    int64_t ahead_ms = 0;         // the clock was set ahead by so much of late (Clock::Kept)
  };
  struct Made {
    TableKeyPtr key;
    std::string secret;  // empty: a repeat, whose secret was shown already
  };
  using OnMade = std::function<void(protocol::Result<Made>)>;
  using OnDone = std::function<void(protocol::Result<TableKeyPtr>)>;

  // Like TableKeyStore::Then, these are called once and do not call back. A repeat of a request that is under
  // way is answered with it.
  void Make(const protocol::TenantId& tenant, Wish wish, protocol::Time now, OnMade then);
  // NOT_FOUND for another tenant's; revoking again is no error.
  void Revoke(const protocol::TenantId& tenant, const AccessKeyId& id, OnDone then);

  // In order of createdAt, then of id.
  std::vector<TableKeyPtr> List(const protocol::TenantId& tenant) const;

 private:
  struct Entry {
    TableKeyPtr visible;   // null until it is durable
    uint64_t shown = 0;    // which write `visible` is
    TableKey wanted;       // what was written last, durable or not
    uint64_t written = 0;  // how many writes there were
  };
  // A change that was decided and is to be written.
  struct Change {
    TableKey key;
    uint64_t number = 0;
  };

  // Takes `then` away if it waits for an equal request that is under way.
  protocol::Result<Made> Reserve(const protocol::TenantId& tenant, const Wish& wish, protocol::Time now,
                                 Change* change, OnMade* then);
  std::vector<OnMade> TakeWaiting(const AccessKeyId& id);
  protocol::Result<Change> DecideRevocation(const protocol::TenantId& tenant, const AccessKeyId& id);
  const Entry* FindRepeat(const protocol::TenantId& tenant, const std::string& idempotency_key,
                          protocol::Time now) REQUIRES(mutex_);
  std::optional<AccessKeyId> OldestRevoked(const protocol::TenantId& tenant) REQUIRES(mutex_);
  Change Changed(Entry* entry) REQUIRES(mutex_);
  void MakeRoom(const protocol::TenantId& tenant) REQUIRES(order_);
  void Write(const Change& change, TableKeyStore::Then then) REQUIRES(order_);
  TableKeyPtr Show(const Change& change);
  void Drop(const protocol::TenantId& tenant, const AccessKeyId& id);

  TableKeyStore& store_;
  const TableKeySeal seal_;
  const RandomSource random_;
  // Held while a change is decided and given to the store, so that the store gets changes in the order in
  // which they were decided: a use that is noted must not bring a revoked key back. Taken before mutex_.
  protocol::Mutex order_;
  mutable protocol::Mutex mutex_;
  std::unordered_map<std::string, Entry> entries_ GUARDED_BY(mutex_);
  std::unordered_map<std::string, std::vector<AccessKeyId>> by_tenant_
      GUARDED_BY(mutex_);  // as they were made
  // Of keys that are being made: the repeats that wait for them.
  std::unordered_map<std::string, std::vector<OnMade>> waiting_ GUARDED_BY(mutex_);
};

}  // namespace parley::accounts
