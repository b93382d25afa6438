#include "storage/engine/item_writes.h"

#include <algorithm>
#include <set>
#include <span>

#include "protocol/base/varint.h"
#include "storage/engine/service_rules.h"

namespace parley::storage {
namespace {

using WriteKind = WriteRequest::Kind;

EngineFault NoSuchTable() {
  return {FaultKind::kTableNotFound, "Requested resource not found"};
}

MaybeFault CheckKeysUntouched(const TableDef& def, const Update& update) {
  for (const std::string& name : update.TopNames()) {
    if (def.keys.Names(name))
      return Invalid("One or more parameter values were invalid: Cannot update attribute " + name +
                     ". This attribute is part of the key");
  }
  return {};
}

// Computes the new item. `before`: the present item as the writer sees it, or nullptr. REQUIRES: not a check.
MaybeFault MakeAfter(const ItemTransaction& tx, const WriteRequest& request, const Item* before,
                     ItemChange* change) {
  const TableDef& def = *change->def;
  KeyValues checked;
  if (request.kind == WriteKind::kDelete) return {};
  const bool updated = request.kind == WriteKind::kUpdate;
  if (updated && !before && request.update.RemovesOnly()) return {};
  Item item;
  if (!updated) {
    item = request.item;
  } else if (before) {
    item = *before;
  } else {
    SetKey(def.keys, change->key, &item);
  }
  if (updated) {
    if (Fault fault = request.update.Apply(&item); !fault.empty()) return Invalid(std::move(fault));
  }
  if (request.by_service) {
    Item prepared;
    if (auto fault =
            PrepareItem(tx, change->tenant, def, request.item_kind, std::move(item), before, &prepared))
      return fault;
    item = std::move(prepared);
  }
  change->after = std::move(item);
  return CheckItem(def, *change->after, updated, &checked);
}

MaybeFault KeyOfRequest(const TableDef& def, const WriteRequest& request, KeyValues* key) {
  if (request.kind != WriteKind::kPut) return CheckKey(def, request.item, key);
  if (request.by_service) return ServiceKey(def, request.item_kind, request.item, key);
  return CheckItem(def, request.item, /*updated=*/false, key);
}

EngineFault TooMuchWork() {
  return {FaultKind::kLimitExceeded,
          "The items and conditions of the request take more work than one request may take"};
}

// Reports the steps of a decision to the transaction, whatever its outcome.
class DecisionEffort final {
 public:
  explicit DecisionEffort(ItemTransaction& tx) : tx_(tx) {}
  ~DecisionEffort() { tx_.NoteSteps(effort_.spent()); }
  DecisionEffort(const DecisionEffort&) = delete;
  DecisionEffort& operator=(const DecisionEffort&) = delete;
  Effort* operator*() { return &effort_; }

 private:
  ItemTransaction& tx_;
  Effort effort_{kDecisionStepsMax};
};

// Finds every possible fault of one write before anything is written.
MaybeFault Decide(ItemTransaction& tx, const TenantId& tenant, const WriteRequest& request, Effort* effort,
                  ItemChange* change) {
  change->tenant = tenant;
  change->def = tx.FindTable(tenant, request.table);
  if (!change->def) return NoSuchTable();
  const TableDef& def = *change->def;
  if (auto fault = KeyOfRequest(def, request, &change->key)) return fault;
  if (request.kind == WriteKind::kUpdate) {
    if (auto touched = CheckKeysUntouched(def, request.update)) return touched;
  }
  if (auto unread =
          ReadStored(tx.reader(), TablePartition(tenant, def), def, change->key, tx.now(), &change->before))
    return unread;
  if (change->before.stored && !effort->Spend(ItemSize(*change->before.stored) * kStepsPerByteRead))
    return TooMuchWork();
  const Item* live = change->before.live();
  Item opened;
  if (request.by_service && live) {
    opened = *live;
    if (auto fault = OpenItem(def, tenant, tx.sealer(), &opened)) return fault;
    live = &opened;
  }
  if (!request.condition.empty()) {
    static const Item kNone;
    const bool holds = request.condition.Holds(live ? *live : kNone, effort);
    if (effort->exhausted()) return TooMuchWork();
    if (!holds) {
      EngineFault failed{FaultKind::kConditionFailed, "The conditional request failed"};
      if (request.tells_item && live) failed.item = *live;
      return failed;
    }
  }
  if (request.kind == WriteKind::kCheck) return {};
  if (auto bad = MakeAfter(tx, request, live, change)) return bad;
  return CheckUnique(tx, *change);
}

WriteReply ReplyOf(ItemChange change) {
  WriteReply reply;
  if (change.before.live()) reply.before = std::move(change.before.stored);
  reply.after = std::move(change.after);
  reply.table = std::move(change.def);
  return reply;
}

std::string CodeOf(FaultKind kind) {
  return kind == FaultKind::kConditionFailed ? "ConditionalCheckFailed" : "ValidationError";
}

// Faults that abort a transaction unchanged, whichever action caused them.
bool EndsAll(FaultKind kind) {
  return kind != FaultKind::kConditionFailed && kind != FaultKind::kValidation;
}

EngineFault Canceled(std::vector<std::optional<EngineFault::Reason>> reasons) {
  std::string codes;
  for (const auto& reason : reasons) codes += (codes.empty() ? "" : ", ") + (reason ? reason->code : "None");
  EngineFault fault{
      FaultKind::kTransactionCanceled,
      "Transaction cancelled, please refer cancellation reasons for specific reasons [" + codes + "]"};
  fault.reasons = std::move(reasons);
  return fault;
}

// Whether this token's transaction was done already.
MaybeFault FindRepeat(ItemTransaction& tx, const TenantId& tenant, const TransactWrite& transaction,
                      bool* repeated) {
  std::optional<Row> row;
  const Status status = tx.reader().Get(TokenPartition(tenant), TokenKey(transaction.token), &row);
  if (!status.ok()) return FromStatus(status);
  if (!row) return {};
  std::string_view rest = row->payload;
  uint64_t until_ms = 0;
  if (!protocol::TakeVarint(&rest, &until_ms))
    return EngineFault{FaultKind::kInternal, "a token cannot be read"};
  if (static_cast<int64_t>(until_ms) <= tx.kept().ms) return {};
  if (rest != transaction.digest)
    return EngineFault{
        FaultKind::kIdempotencyMismatch,
        "The request uses the same client token as a previous, but non-identical request. Do not reuse "
        "a client token with different requests, unless the requests are identical"};
  *repeated = true;
  return {};
}

void RememberToken(ItemTransaction& tx, const TenantId& tenant, const TransactWrite& transaction) {
  const PartitionKey tokens = TokenPartition(tenant);
  const SortKey key = TokenKey(transaction.token);
  const int64_t until_ms = tx.now().ms + kTokenMs;
  std::string payload;
  protocol::AppendVarint(&payload, static_cast<uint64_t>(until_ms));
  tx.Write(tokens, key, Row{1, payload + transaction.digest});
  // If an expired row of the token existed, this is its second place, and the sweeper visits both.
  tx.Write(ExpiryPartition(), ExpiryKey((until_ms + 999) / 1000, tokens, key), Row{1, {}});
}

const char kKeyTwice[] = "Provided list of item keys contains duplicates";
const char kOneItemTwice[] = "Transaction request cannot include multiple operations on one item";

// Finds two actions on one item before any of them is read; faulty keys are reported later.
bool NameOneTwice(const ItemTransaction& tx, const TenantId& tenant, std::span<const WriteRequest> writes) {
  std::set<std::pair<std::string_view, std::string>> seen;
  return std::any_of(writes.begin(), writes.end(), [&](const WriteRequest& write) {
    const TableDefPtr def = write.by_service ? nullptr : tx.FindTable(tenant, write.table);
    const auto key = def ? KeyOf(def->keys, write.item) : std::nullopt;
    return key && !seen.emplace(write.table, ItemKey(*def, *key).bytes()).second;
  });
}

// The same for items whose keys are made of their attributes (service_rules.h).
bool HasTwice(const std::vector<ItemChange>& changes) {
  std::set<std::pair<std::string, std::string>> seen;
  return std::any_of(changes.begin(), changes.end(), [&](const ItemChange& change) {
    if (change.key.hash.type() == AttributeType::kNull) return false;
    return !seen.emplace(change.def->name, ItemKey(*change.def, change.key).bytes()).second;
  });
}

// Finds two items of one transaction with the same unique values.
bool MeetInUnique(const std::vector<ItemChange>& changes) {
  std::set<std::string> seen;
  for (const ItemChange& change : changes) {
    for (const UniqueRule& rule : change.def->unique) {
      if (!change.after) continue;
      const auto guard = GuardOf(change.tenant, *change.def, rule, *change.after);
      if (guard && !seen.insert(guard->partition.bytes() + guard->sort.bytes()).second) return true;
    }
  }
  return false;
}

int64_t SizeOf(const std::optional<Item>& item) {
  return item ? static_cast<int64_t>(ItemSize(*item)) : 0;
}

// Checks the tenant's limit. Writes that make items smaller are always allowed; the services have limits of
// their own.
MaybeFault CheckRoom(ItemTransaction& tx, const TenantId& tenant, std::span<const WriteRequest> requests,
                     std::span<const ItemChange> changes) {
  int64_t growth = 0, room = 0;
  for (size_t i = 0; i < changes.size(); ++i) {
    if (requests[i].kind != WriteKind::kCheck && !requests[i].by_service)
      growth += SizeOf(changes[i].after) - SizeOf(changes[i].before.stored);
  }
  if (growth <= 0) return {};
  if (Status status = tx.RoomOf(tenant, &room); !status.ok()) return FromStatus(status);
  if (growth <= room) return {};
  return EngineFault{
      FaultKind::kLimitExceeded,
      "Subscriber limit exceeded: The items of all tables together would be larger than allowed"};
}

size_t BytesOf(const std::vector<ItemChange>& changes) {
  size_t bytes = 0;
  for (const ItemChange& change : changes) bytes += change.after ? ItemSize(*change.after) : 0;
  return bytes;
}

}  // namespace

MaybeFault DecideWrite(ItemTransaction& tx, const TenantId& tenant, const WriteRequest& request,
                       WriteReply* reply) {
  std::vector<ItemChange> changes(1);
  DecisionEffort effort(tx);
  if (auto fault = Decide(tx, tenant, request, *effort, &changes[0])) return fault;
  if (auto fault = CheckRoom(tx, tenant, {&request, 1}, changes)) return fault;
  if (changes[0].after || changes[0].before.stored) {  // otherwise there was nothing to delete
    Write(tx, changes[0]);
    tx.Log(EncodeItemEntry(changes));
  }
  if (reply) *reply = ReplyOf(std::move(changes[0]));
  return {};
}

MaybeFault DecideTransaction(ItemTransaction& tx, const TenantId& tenant, const TransactWrite& transaction,
                             TransactionReply* reply) {
  if (!transaction.token.empty()) {
    if (auto fault = FindRepeat(tx, tenant, transaction, &reply->repeated)) return fault;
  }
  if (NameOneTwice(tx, tenant, transaction.writes)) return Invalid(kOneItemTwice);
  std::vector<ItemChange> changes;
  std::vector<std::optional<EngineFault::Reason>> reasons;
  DecisionEffort effort(tx);
  bool canceled = false;
  size_t reason_bytes = 0;  // bytes of items in reasons: at most a transaction's limit
  for (const WriteRequest& write : transaction.writes) {
    ItemChange change;
    auto fault = Decide(tx, tenant, write, *effort, &change);
    // A repeat writes nothing, so faults of the present state do not matter.
    if (fault && reply->repeated && (!EndsAll(fault->kind) || fault->kind == FaultKind::kNotUnique))
      fault.reset();
    if (fault && EndsAll(fault->kind)) return fault;
    auto& reason = reasons.emplace_back();
    if (fault) {
      if (fault->item) reason_bytes += ItemSize(*fault->item);
      if (reason_bytes > kTransactionBytesMax) fault->item.reset();
      reason = EngineFault::Reason{CodeOf(fault->kind), std::move(fault->message), std::move(fault->item)};
    }
    canceled = canceled || reason.has_value();
    changes.push_back(std::move(change));
  }
  if (HasTwice(changes)) return Invalid(kOneItemTwice);
  if (canceled) return Canceled(std::move(reasons));
  for (const ItemChange& change : changes) reply->replies.push_back(ReplyOf(change));
  if (reply->repeated) return {};
  if (MeetInUnique(changes))
    return EngineFault{FaultKind::kNotUnique, "two items of a transaction have the same unique value"};
  if (BytesOf(changes) > kTransactionBytesMax)
    return Invalid("The aggregate size of all items in the transaction exceeds the limit of 4 MB");
  if (auto fault = CheckRoom(tx, tenant, transaction.writes, changes)) return fault;
  for (size_t i = 0; i < changes.size(); ++i) {
    if (transaction.writes[i].kind != WriteKind::kCheck) Write(tx, changes[i]);
  }
  std::vector<ItemChange> written;
  for (size_t i = 0; i < changes.size(); ++i) {
    const bool changed = changes[i].after || changes[i].before.stored;
    if (transaction.writes[i].kind != WriteKind::kCheck && changed) written.push_back(std::move(changes[i]));
  }
  if (!transaction.token.empty()) RememberToken(tx, tenant, transaction);
  if (!written.empty()) tx.Log(EncodeItemEntry(written));
  return {};
}

MaybeFault DecideBatch(ItemTransaction& tx, const TenantId& tenant, const std::vector<WriteRequest>& writes,
                       std::vector<WriteReply>* replies) {
  if (NameOneTwice(tx, tenant, writes)) return Invalid(kKeyTwice);
  std::vector<ItemChange> changes(writes.size());
  DecisionEffort effort(tx);
  for (size_t i = 0; i < writes.size(); ++i) {
    if (auto fault = Decide(tx, tenant, writes[i], *effort, &changes[i])) return fault;
  }
  if (HasTwice(changes)) return Invalid(kKeyTwice);
  if (MeetInUnique(changes))
    return EngineFault{FaultKind::kNotUnique, "two items of a batch have the same unique value"};
  if (auto fault = CheckRoom(tx, tenant, writes, changes)) return fault;
  for (const ItemChange& change : changes) {
    if (replies) replies->push_back(ReplyOf(change));
    Write(tx, change);
  }
  std::erase_if(changes, [](const ItemChange& change) { return !change.after && !change.before.stored; });
  if (!changes.empty()) tx.Log(EncodeItemEntry(changes));
  return {};
}

}  // namespace parley::storage
