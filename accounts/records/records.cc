#include "accounts/records/records.h"

#include <algorithm>
#include <cassert>
#include <utility>

#include "protocol/base/crypto.h"
#include "protocol/base/encoding.h"
#include "protocol/base/reason.h"
#include "protocol/base/varint.h"
#include "storage/declarations/load.h"
#include "storage/engine/item_keys.h"
#include "storage/engine/service_rules.h"

namespace parley::accounts {

using protocol::Error;
using protocol::ErrorCode;
using protocol::Reason;
using storage::EngineFault;
using storage::FaultKind;
using storage::KeyCondition;
using storage::TableDef;
using storage::TableDefPtr;

namespace {

constexpr int64_t kRepeatMs = int64_t{24} * 3600 * 1000;

storage::KeyValues KeyFrom(const TableDef& def, std::string_view hash, std::string_view range) {
  storage::KeyValues key{hash, std::nullopt};
  if (def.keys.range) key.range = range;
  return key;
}

// Longer than any transaction's token, so that the two cannot be confused.
storage::SortKey RepeatKey(std::string_view key) {
  return storage::TokenKey("repeat/" + protocol::Base64Url(protocol::Sha256(key)));
}

Error Damaged(std::string_view table) {
  return Error(ErrorCode::kInternal, "a record of " + std::string(table) + " cannot be read");
}

}  // namespace

Error FromFault(const EngineFault& fault) {
  switch (fault.kind) {
    case FaultKind::kNotUnique:
      return ErrorFor(Reason::kExistsAlready, fault.message);
    case FaultKind::kValidation:
      return Error::BadRequest(fault.message);
    case FaultKind::kTransactionCanceled:
      for (const auto& reason : fault.reasons) {
        if (reason) return Error::BadRequest(reason->message);
      }
      return Error::BadRequest(fault.message);
    case FaultKind::kUnavailable:
    case FaultKind::kNotInMemory:
      return ErrorFor(Reason::kStoreUnreadable, "the store cannot be read or written now");
    case FaultKind::kLimitExceeded:
      return ErrorFor(Reason::kRecordTooLarge, fault.message);
    default:
      return Error(ErrorCode::kInternal, fault.message);
  }
}

const TableDefPtr& SeedTable(std::string_view name) {
  const auto& all = storage::SeedTables();
  const auto found = std::find_if(all.begin(), all.end(), [&](const auto& def) { return def->name == name; });
  assert(found != all.end());
  return *found;
}

KeyCondition AllOf(std::string_view hash) {
  KeyCondition out;
  out.hash = hash;
  return out;
}

KeyCondition BeginningWith(std::string_view hash, std::string_view prefix) {
  KeyCondition out = AllOf(hash);
  out.op = KeyCondition::Op::kBeginsWith;
  out.low = prefix;
  return out;
}

protocol::Result<std::optional<Item>> RecordReads::Find(std::string_view table, std::string_view hash,
                                                        std::string_view range) const {
  const TableDef& def = *SeedTable(table);
  std::optional<Item> item;
  if (auto fault = storage::ReadItem(reads_, def, KeyFrom(def, hash, range), &item)) return FromFault(*fault);
  if (item && storage::OpenItem(def, tenant(), sealer_, &*item)) return Damaged(table);
  return item;
}

protocol::Result<std::optional<Item>> RecordReads::FindUnique(std::string_view table,
                                                              const Item& values) const {
  const TableDef& def = *SeedTable(table);
  for (const storage::UniqueRule& rule : def.unique) {
    const auto guard = rule.global ? std::nullopt : storage::GuardOf(tenant(), def, rule, values);
    if (!guard) continue;
    std::optional<storage::Row> row;
    if (auto status = reader().Get(guard->partition, guard->sort, &row); !status.ok())
      return FromFault(storage::FromStatus(status));
    if (!row) return std::optional<Item>();
    const auto holder = storage::HolderOf(def, row->payload);
    if (!holder) return Damaged(table);
    std::optional<Item> item;
    if (auto fault = storage::ReadItem(reads_, def, holder->key, &item)) return FromFault(*fault);
    if (item && storage::OpenItem(def, tenant(), sealer_, &*item)) return Damaged(table);
    return item;
  }
  return std::optional<Item>();
}

protocol::Result<RecordPage> RecordReads::List(const Ask& ask) const {
  const TableDef& def = *SeedTable(ask.table);
  storage::PageRequest request;
  request.index = ask.index.empty() ? nullptr : def.FindIndex(ask.index);
  request.key = ask.key;
  request.limit = ask.limit;
  request.forward = ask.forward;
  request.start = ask.after;
  storage::ItemPage page;
  if (auto fault = storage::ReadPage(reads_, def, request, &page)) return FromFault(*fault);
  for (Item& item : page.items) {
    if (storage::OpenItem(def, tenant(), sealer_, &item)) return Damaged(ask.table);
  }
  return RecordPage{std::move(page.items), std::move(page.last)};
}

// Reads one item more than the page to see whether more follows; a page that is shorter was out of room.
protocol::Result<RecordPage> RecordReads::ListToTheEnd(Ask ask) const {
  const size_t limit = ask.limit++;
  PARLEY_TRY(page, List(ask));
  const bool more = page.last.has_value() || page.items.size() > limit;
  if (page.items.size() > limit) page.items.resize(limit);
  page.last.reset();
  if (more && !page.items.empty()) page.last = page.items.back();
  return page;
}

protocol::Status RecordReads::ForEach(Ask ask, const std::function<bool(const Item&)>& visit) const {
  do {
    PARLEY_TRY(page, List(ask));
    for (const Item& item : page.items) {
      if (!visit(item)) return protocol::Ok();
    }
    ask.after = std::move(page.last);
  } while (ask.after);
  return protocol::Ok();
}

protocol::Result<std::optional<FoundRecord>> FindInWorld(const storage::Reader& reader,
                                                         std::string_view table, const Item& values,
                                                         protocol::Time now, const storage::Sealer& sealer) {
  const TableDef& def = *SeedTable(table);
  for (const storage::UniqueRule& rule : def.unique) {
    const auto guard =
        rule.global ? storage::GuardOf(storage::EngineTenant(), def, rule, values) : std::nullopt;
    if (!guard) continue;
    std::optional<storage::Row> row;
    if (auto status = reader.Get(guard->partition, guard->sort, &row); !status.ok())
      return FromFault(storage::FromStatus(status));
    if (!row) return std::optional<FoundRecord>();
    auto holder = storage::HolderOf(def, row->payload);
    if (!holder) return Damaged(table);
    const storage::ItemReads reads{reader, holder->tenant, now};
    std::optional<Item> item;
    if (auto fault = storage::ReadItem(reads, def, holder->key, &item)) return FromFault(*fault);
    if (!item) return std::optional<FoundRecord>();  // expired, and not yet removed
    if (storage::OpenItem(def, holder->tenant, sealer, &*item)) return Damaged(table);
    return std::optional(FoundRecord{std::move(holder->tenant), *std::move(item)});
  }
  return std::optional<FoundRecord>();
}

void RecordTransaction::Put(std::string_view table, std::string_view kind, Item item) {
  storage::WriteRequest write;
  write.table = table;
  write.item = std::move(item);
  write.by_service = true;
  write.item_kind = kind;
  writes_.push_back(std::move(write));
}

void RecordTransaction::Delete(std::string_view table, std::string_view hash, std::string_view range) {
  const TableDef& def = *SeedTable(table);
  storage::WriteRequest write;
  write.kind = storage::WriteRequest::Kind::kDelete;
  write.table = table;
  storage::SetKey(def.keys, KeyFrom(def, hash, range), &write.item);
  write.by_service = true;
  writes_.push_back(std::move(write));
}

void RecordTransaction::PutRow(const storage::PartitionKey& partition, storage::SortKey sort,
                               std::string payload) {
  rows_.insert_or_assign({partition, std::move(sort)}, std::move(payload));
}

protocol::Result<std::optional<storage::Row>> RecordTransaction::FindRow(
    const storage::PartitionKey& partition, const storage::SortKey& sort) const {
  if (const auto put = rows_.find({partition, sort}); put != rows_.end())
    return std::optional(storage::Row{1, put->second});
  std::optional<storage::Row> row;
  if (auto status = reader().Get(partition, sort, &row); !status.ok())
    return FromFault(storage::FromStatus(status));
  return row;
}

// Every rejection comes before the first write.
protocol::Status RecordTransaction::Commit() {
  const auto rows = std::exchange(rows_, {});
  if (!writes_.empty()) {
    storage::TransactWrite transaction;
    transaction.writes = std::move(writes_);
    storage::TransactionReply reply;
    if (auto fault = storage::DecideTransaction(tx_, tenant(), transaction, &reply)) return FromFault(*fault);
  }
  for (const auto& [place, payload] : rows) tx_.Write(place.first, place.second, storage::Row{1, payload});
  return protocol::Ok();
}

// A remembered request is a row like a transaction's token, and expires in the same way: its time, the
// digest, the reply.
protocol::Result<std::optional<std::string>> RecordTransaction::FindRepeat(const protocol::TenantId& keeper,
                                                                           std::string_view key,
                                                                           std::string_view digest) const {
  std::optional<storage::Row> row;
  const auto status = reader().Get(storage::TokenPartition(keeper), RepeatKey(key), &row);
  if (!status.ok()) return FromFault(storage::FromStatus(status));
  if (!row) return std::optional<std::string>();
  std::string_view rest = row->payload;
  uint64_t until_ms = 0;
  if (!protocol::TakeVarint(&rest, &until_ms)) return Damaged("repeated requests");
  if (static_cast<int64_t>(until_ms) <= tx_.kept().ms) return std::optional<std::string>();
  const std::string hash = protocol::Sha256(digest);
  if (!rest.starts_with(hash))
    return Error(ErrorCode::kIdempotencyConflict, "this Idempotency-Key was used with another request");
  return std::optional(std::string(rest.substr(hash.size())));
}

void RecordTransaction::Remember(const protocol::TenantId& keeper, std::string_view key,
                                 std::string_view digest, std::string_view answer) {
  const auto partition = storage::TokenPartition(keeper);
  const storage::SortKey sort = RepeatKey(key);
  const int64_t until_ms = now().ms + kRepeatMs;
  std::string payload;
  protocol::AppendVarint(&payload, static_cast<uint64_t>(until_ms));
  tx_.Write(partition, sort, storage::Row{1, payload + protocol::Sha256(digest) + std::string(answer)});
  tx_.Write(storage::ExpiryPartition(), storage::ExpiryKey((until_ms + 999) / 1000, partition, sort),
            storage::Row{1, {}});
}

}  // namespace parley::accounts
