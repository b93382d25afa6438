// The table keys of all tenants, in memory and on disk: found by access key id before the tenant is known.
//
// Thread-safe. Find returns a snapshot; call it for each request: after RevokeTableKey has replied, no thread
// finds the key active again. No call waits for a disk: the store answers later, and only then does a change
// become visible and its caller get the reply.
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

// Stores the rows. Put and Remove take effect in the order of the calls, and return without waiting for a
// disk. `then` is called once, with whether the change is durable, on any thread and perhaps within the call;
// it must not call back into the store.
class TableKeyStore {
 public:
  using Then = std::function<void(storage::Status)>;

  virtual ~TableKeyStore() = default;
  virtual void Put(TableKeyRow row, Then then) = 0;
  virtual void Remove(const protocol::TenantId& tenant, const AccessKeyId& id, Then then) = 0;
  // Visits every row of every tenant; at start, may wait.
  virtual storage::Status List(const std::function<void(TableKeyRow)>& visit) = 0;
};

inline constexpr size_t kTableKeysActiveMax = 100;  // per tenant
// The total with revoked ones; beyond it, the oldest revoked key is forgotten.
inline constexpr size_t kTableKeysMax = 200;
inline constexpr int64_t kTableKeyUseMs = 3600 * 1000;  // a use is recorded at most this often
inline constexpr int64_t kTableKeyRepeatMs = 24 * 3600 * 1000;

using TableKeyPtr = std::shared_ptr<const TableKey>;

class TableKeys {
 public:
  // `store` must outlive this, and must have called every `then` before this is destroyed.
  TableKeys(TableKeyStore& store, storage::Sealer sealer, RandomSource random);

  // Reads the rows; call it first. Unreadable rows are skipped and logged.
  storage::Status Load();

  // Returns nullptr if unknown. Finds revoked keys, too.
  TableKeyPtr Find(std::string_view access_key_id) const;
  // Returns nullopt if the record was sealed with another key.
  std::optional<std::string> SecretOf(const TableKey& key) const { return seal_.Open(key); }
  // The key was used successfully.
  void NoteUse(const TableKey& key, protocol::Time now);

  struct Wish {
    std::string name;
    std::vector<std::string> tables;
    bool read_only = false;
    std::string idempotency_key;  // may be empty
    int64_t ahead_ms = 0;         // recent steps of the clock ahead (Clock::Kept)
  };
  struct Made {
    TableKeyPtr key;
    std::string secret;  // empty: a repeat, whose secret was shown already
  };
  using OnMade = std::function<void(protocol::Result<Made>)>;
  using OnDone = std::function<void(protocol::Result<TableKeyPtr>)>;

  // Like TableKeyStore::Then, these are called once and must not call back. A repeat of an unfinished request
  // gets its reply.
  void Make(const protocol::TenantId& tenant, Wish wish, protocol::Time now, OnMade then);
  // NOT_FOUND for another tenant's; revoking again is no error.
  void Revoke(const protocol::TenantId& tenant, const AccessKeyId& id, OnDone then);

  // In order of createdAt, then of id.
  std::vector<TableKeyPtr> List(const protocol::TenantId& tenant) const;

 private:
  struct Entry {
    TableKeyPtr visible;   // null until it is durable
    uint64_t shown = 0;    // the number of the write that `visible` comes from
    TableKey wanted;       // the last write, durable or not
    uint64_t written = 0;  // the number of writes
  };
  // A decided change that must be written.
  struct Change {
    TableKey key;
    uint64_t number = 0;
  };

  // Takes `then` if it must wait for an equal request in progress.
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
  // Locked while a change is decided and passed to the store, so that the store gets changes in the order of
  // their decisions: recording a use must not restore a revoked key. Taken before mutex_.
  protocol::Mutex order_;
  mutable protocol::Mutex mutex_;
  std::unordered_map<std::string, Entry> entries_ GUARDED_BY(mutex_);
  std::unordered_map<std::string, std::vector<AccessKeyId>> by_tenant_
      GUARDED_BY(mutex_);  // in order of creation
  // For keys that are being made: the repeats that wait for them.
  std::unordered_map<std::string, std::vector<OnMade>> waiting_ GUARDED_BY(mutex_);
};

}  // namespace parley::accounts
