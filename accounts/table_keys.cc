#include "accounts/table_keys.h"

#include <algorithm>
#include <tuple>
#include <utility>

#include "protocol/base/crypto.h"
#include "protocol/base/log.h"
#include "protocol/base/reason.h"

namespace parley::accounts {
namespace {

using protocol::Error;
using protocol::ErrorCode;
using protocol::MutexLock;
using protocol::Reason;

// Equal for equal wishes.
std::string DigestOf(const TableKeys::Wish& wish) {
  std::string text = std::to_string(wish.read_only) + std::to_string(wish.name.size()) + ":" + wish.name;
  for (const std::string& table : wish.tables) text += "/" + table;  // no table's name contains a slash
  return protocol::Sha256(text);
}

bool IsMadeEarlier(const TableKeyPtr& a, const TableKeyPtr& b) {
  return std::tie(a->created_at, a->id) < std::tie(b->created_at, b->id);
}

Error NotWritten() {
  return ErrorFor(Reason::kStoreDown, "the store takes no writes");
}

}  // namespace

TableKeys::TableKeys(TableKeyStore& store, storage::Sealer sealer, RandomSource random)
    : store_(store), seal_(std::move(sealer)), random_(std::move(random)) {}

storage::Status TableKeys::Load() {
  std::vector<TableKeyPtr> read;
  storage::Status status = store_.List([&](TableKeyRow row) {
    auto key = DecodeTableKey(row.tenant, row.id, row.record);
    if (key && seal_.Open(*key)) {
      read.push_back(std::make_shared<TableKey>(*std::move(key)));
    } else {
      protocol::Log(protocol::LogLevel::kError, "accounts", "a table key cannot be read",
                    {{"tenant", row.tenant.ToText()}, {"accessKeyId", row.id.ToText()}});
    }
  });
  std::sort(read.begin(), read.end(), IsMadeEarlier);
  MutexLock lock(&mutex_);
  for (const TableKeyPtr& key : read) {
    entries_[key->id.ToText()] = {key, 0, *key, 0};
    by_tenant_[key->tenant.ToText()].push_back(key->id);
  }
  return status;
}

TableKeyPtr TableKeys::Find(std::string_view access_key_id) const {
  MutexLock lock(&mutex_);
  const auto found = entries_.find(std::string(access_key_id));
  return found == entries_.end() ? nullptr : found->second.visible;
}

std::vector<TableKeyPtr> TableKeys::List(const protocol::TenantId& tenant) const {
  std::vector<TableKeyPtr> out;
  {
    MutexLock lock(&mutex_);
    const auto ids = by_tenant_.find(tenant.ToText());
    if (ids == by_tenant_.end()) return out;
    for (const AccessKeyId& id : ids->second) {
      if (const TableKeyPtr& key = entries_.at(id.ToText()).visible) out.push_back(key);
    }
  }
  std::sort(out.begin(), out.end(), IsMadeEarlier);
  return out;
}

void TableKeys::Make(const protocol::TenantId& tenant, Wish wish, protocol::Time now, OnMade then) {
  MutexLock order(&order_);
  Change change;
  auto reserved = Reserve(tenant, wish, now, &change, &then);
  if (!then) return;  // it waits for an equal request
  if (!reserved.ok() || reserved->key) return then(std::move(reserved));
  MakeRoom(tenant);
  Write(change,
        [this, change, secret = std::move(reserved->secret), then = std::move(then)](storage::Status status) {
          const TableKeyPtr key = status.ok() ? Show(change) : nullptr;
          const std::vector<OnMade> waiting = TakeWaiting(change.key.id);
          if (!key) Drop(change.key.tenant, change.key.id);
          then(key ? protocol::Result<Made>(Made{key, secret}) : NotWritten());
          for (const OnMade& one : waiting) one(key ? protocol::Result<Made>(Made{key, ""}) : NotWritten());
        });
}

std::vector<TableKeys::OnMade> TableKeys::TakeWaiting(const AccessKeyId& id) {
  MutexLock lock(&mutex_);
  return std::move(waiting_.extract(id.ToText()).mapped());
}

// A repeat has its key; a new one has its secret, and no key until it is durable.
protocol::Result<TableKeys::Made> TableKeys::Reserve(const protocol::TenantId& tenant, const Wish& wish,
                                                     protocol::Time now, Change* change, OnMade* then) {
  const std::string digest = DigestOf(wish);
  MutexLock lock(&mutex_);
  if (const Entry* first = FindRepeat(tenant, wish.idempotency_key, {now.ms - wish.ahead_ms})) {
    if (first->wanted.request_digest != digest)
      return Error(ErrorCode::kIdempotencyConflict, "this Idempotency-Key was used with another body");
    const auto waiting = waiting_.find(first->wanted.id.ToText());
    if (waiting == waiting_.end()) return Made{first->visible, ""};
    waiting->second.push_back(std::exchange(*then, nullptr));
    return Made{};
  }
  std::vector<AccessKeyId>& ids = by_tenant_[tenant.ToText()];
  const auto active = std::count_if(ids.begin(), ids.end(), [&](const AccessKeyId& id) REQUIRES(mutex_) {
    return entries_.at(id.ToText()).wanted.status == TableKeyStatus::kActive;
  });
  if (static_cast<size_t>(active) >= kTableKeysActiveMax)
    return ErrorFor(Reason::kTooManyKeys, "the tenant has as many active table keys as it may have");

  TableKey key;
  key.tenant = tenant;
  key.id = NewAccessKeyId(random_);
  const std::string secret = NewTableSecret(random_);
  key.sealed_secret = seal_.Seal(key, secret);
  key.name = wish.name;
  key.tables = wish.tables;
  key.read_only = wish.read_only;
  key.created_at = now;
  key.idempotency_key = wish.idempotency_key;
  key.request_digest = wish.idempotency_key.empty() ? "" : digest;
  ids.push_back(key.id);
  Entry& entry = entries_[key.id.ToText()];
  entry.wanted = std::move(key);
  *change = Changed(&entry);
  waiting_[change->key.id.ToText()];
  return Made{nullptr, secret};
}

const TableKeys::Entry* TableKeys::FindRepeat(const protocol::TenantId& tenant,
                                              const std::string& idempotency_key, protocol::Time now) {
  if (idempotency_key.empty()) return nullptr;
  for (const AccessKeyId& id : by_tenant_[tenant.ToText()]) {
    const Entry& entry = entries_.at(id.ToText());
    if (entry.wanted.idempotency_key == idempotency_key &&
        now.ms - entry.wanted.created_at.ms < kTableKeyRepeatMs)
      return &entry;
  }
  return nullptr;
}

// Revoked keys stay listed, but only up to a limit.
void TableKeys::MakeRoom(const protocol::TenantId& tenant) {
  std::optional<AccessKeyId> oldest;
  {
    MutexLock lock(&mutex_);
    if (by_tenant_[tenant.ToText()].size() <= kTableKeysMax) return;
    oldest = OldestRevoked(tenant);
  }
  if (!oldest) return;
  Drop(tenant, *oldest);
  store_.Remove(tenant, *oldest,
                [](storage::Status) {});  // if the removal fails, the key is back after a restart
}

std::optional<AccessKeyId> TableKeys::OldestRevoked(const protocol::TenantId& tenant) {
  for (const AccessKeyId& id : by_tenant_[tenant.ToText()]) {
    const TableKeyPtr& key = entries_.at(id.ToText()).visible;
    if (key && key->status == TableKeyStatus::kRevoked) return id;
  }
  return std::nullopt;
}

void TableKeys::Revoke(const protocol::TenantId& tenant, const AccessKeyId& id, OnDone then) {
  MutexLock order(&order_);
  auto decided = DecideRevocation(tenant, id);
  if (!decided.ok()) return then(std::move(decided.error()));
  // Written again even if it is revoked already, because the first write may still be in progress.
  Write(*decided, [this, change = *decided, then = std::move(then)](storage::Status status) {
    if (!status.ok()) return then(NotWritten());
    then(Show(change));
  });
}

protocol::Result<TableKeys::Change> TableKeys::DecideRevocation(const protocol::TenantId& tenant,
                                                                const AccessKeyId& id) {
  MutexLock lock(&mutex_);
  const auto found = entries_.find(id.ToText());
  if (found == entries_.end() || !found->second.visible || found->second.wanted.tenant != tenant)
    return ErrorFor(Reason::kNoKey, "no such table key");
  found->second.wanted.status = TableKeyStatus::kRevoked;
  return Changed(&found->second);
}

void TableKeys::NoteUse(const TableKey& key, protocol::Time now) {
  const auto is_noted = [&](const TableKey& known) {
    return known.last_used_at && now.ms - known.last_used_at->ms < kTableKeyUseMs;
  };
  if (is_noted(key)) return;
  MutexLock order(&order_);
  Change change;
  {
    MutexLock lock(&mutex_);
    const auto found = entries_.find(key.id.ToText());
    if (found == entries_.end() || is_noted(found->second.wanted)) return;
    found->second.wanted.last_used_at = now;
    change = Changed(&found->second);
  }
  Write(change, [this, change](storage::Status status) {
    if (status.ok()) Show(change);
  });
}

TableKeys::Change TableKeys::Changed(Entry* entry) {
  return {entry->wanted, ++entry->written};
}

void TableKeys::Write(const Change& change, TableKeyStore::Then then) {
  store_.Put({change.key.tenant, change.key.id, EncodeTableKey(change.key)}, std::move(then));
}

// Sets the visible state: answers of the store may overtake each other.
TableKeyPtr TableKeys::Show(const Change& change) {
  auto key = std::make_shared<const TableKey>(change.key);
  MutexLock lock(&mutex_);
  const auto found = entries_.find(change.key.id.ToText());
  if (found == entries_.end()) return key;
  Entry& entry = found->second;
  if (change.number > entry.shown) {
    entry.visible = std::move(key);
    entry.shown = change.number;
  }
  return entry.visible;
}

void TableKeys::Drop(const protocol::TenantId& tenant, const AccessKeyId& id) {
  MutexLock lock(&mutex_);
  entries_.erase(id.ToText());
  std::erase(by_tenant_[tenant.ToText()], id);
}

}  // namespace parley::accounts
