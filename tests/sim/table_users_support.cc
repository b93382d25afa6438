#include "tests/sim/table_users_support.h"

#include "storage/engine/table_admin.h"

namespace parley::sim {
namespace {

using storage::AttributeValue;
using storage::Item;
using storage::WriteRequest;
using Kind = WriteRequest::Kind;

const protocol::TenantId kTenant{protocol::KeyText::UpToNul(accounts::kDemoTenant)};
constexpr size_t kAccounts = 4;
constexpr size_t kEvents = 8;
constexpr int kMoney = 100;  // each account begins with it

std::string AccountName(size_t i) {
  return "acc" + std::to_string(i);
}

WriteRequest Request(Kind kind, const char* table, Item item) {
  WriteRequest request;
  request.kind = kind;
  request.table = table;
  request.item = std::move(item);
  return request;
}

WriteRequest Given(WriteRequest request, const char* update, const char* condition,
                   const storage::Placeholders::Values& values) {
  storage::Placeholders placeholders;
  const auto check = [](const storage::Fault& fault) {
    if (!fault.empty()) throw std::logic_error(fault);
  };
  if (!values.empty()) check(placeholders.SetValues(values));
  if (update) check(ParseUpdate(update, &placeholders, &request.update));
  if (condition) check(ParseCondition("ConditionExpression", condition, &placeholders, &request.condition));
  return request;
}

int NumberIn(const std::optional<Item>& item, const char* name) {
  const AttributeValue* value = item ? item->Find(name) : nullptr;
  return value && value->number() ? static_cast<int>(value->number()->ToInt64().value_or(-1)) : 0;
}

}  // namespace

void TableUsers::Work(Process& process) {
  if (Roll(8) == 0) process.node().item_writer().Step();
  if (!has_table_) return MakeTable(process);
  switch (Roll(24)) {
    case 0:
    case 1:
      return Move(process);
    case 2:
      return Count(process);
    case 3:
    case 4:
      return ChangeEvent(process);
    case 5:
      return ReadEvents(process);
    default:
      return;
  }
}

void TableUsers::Submit(Process& process,
                        std::function<storage::MaybeFault(storage::ItemTransaction&)> decide,
                        Settled settled) {
  const auto fault = std::make_shared<storage::MaybeFault>();
  storage::ItemJob job;
  job.decide = [fault, decide = std::move(decide)](storage::ItemTransaction& tx) { *fault = decide(tx); };
  job.done = [this, fault, settled, life = std::weak_ptr(life_)](const storage::Status& status) {
    if (life.expired() || !status.ok()) return;  // unknown, like a lost answer
    acknowledged_ += *fault ? 0 : 1;
    settled(!*fault);
  };
  job.origin = static_cast<uint32_t>(Roll(process.io_threads()));
  process.node().item_writer().Submit(job);
}

void TableUsers::MakeTable(Process& process) {
  if (std::exchange(making_, true)) return;
  storage::TableDef wanted;
  wanted.name = "Accounts";
  wanted.keys.hash.name = "pk";
  storage::IndexDef index;
  index.name = "by-owner";
  index.keys.hash.name = "owner";
  index.keys.range = storage::KeyAttribute{"n", storage::AttributeType::kNumber};
  wanted.indexes.push_back(index);
  Submit(
      process,
      [wanted](storage::ItemTransaction& tx) -> storage::MaybeFault {
        storage::TableDefPtr made;
        if (auto fault = DecideCreateTable(tx, kTenant, wanted, {}, &made)) return fault;
        std::vector<WriteRequest> writes;
        for (size_t i = 0; i < kAccounts; ++i)
          writes.push_back(
              Request(Kind::kPut, "Accounts",
                      {{"pk", AccountName(i)}, {"n", AttributeValue::OfInt(kMoney)}, {"owner", "bank"}}));
        std::vector<storage::WriteReply> replies;
        return DecideBatch(tx, kTenant, writes, &replies);
      },
      [this](bool) { has_table_ = true; });
}

// Moves money between two accounts and records that. The record's condition makes it happen once, however
// often it is repeated.
void TableUsers::Move(Process& process) {
  const Transfer transfer{Roll(kAccounts), Roll(kAccounts), static_cast<int>(Roll(40))};
  if (transfer.from == transfer.to) return;
  std::string id = "move" + std::to_string(names_++);
  Transfer asked = transfer;
  if (!unsure_.empty() && Roll(2) == 0) {  // repeats a transfer with an unknown outcome
    id = unsure_.begin()->first;
    asked = unsure_.begin()->second;
  }
  const storage::Placeholders::Values n = {{":n", AttributeValue::OfInt(asked.amount)}};
  storage::TransactWrite transaction;
  transaction.token = id;
  const auto account = [](size_t i) { return Item{{"pk", AccountName(i)}}; };
  transaction.writes = {
      Given(Request(Kind::kUpdate, "Accounts", account(asked.from)), "SET n = n - :n", "n >= :n", n),
      Given(Request(Kind::kUpdate, "Accounts", account(asked.to)), "SET n = n + :n", nullptr, n),
      Given(Request(Kind::kPut, "Accounts", {{"pk", id}, {"amount", AttributeValue::OfInt(asked.amount)}}),
            nullptr, "attribute_not_exists(pk)", {})};
  unsure_[id] = asked;
  Submit(
      process,
      [transaction](storage::ItemTransaction& tx) {
        storage::TransactionReply reply;
        return DecideTransaction(tx, kTenant, transaction, &reply);
      },
      [this, id, asked](bool done) {
        if (!done) return;  // the balance was too low, or it was done before: the record shows which
        moves_ += moved_.emplace(id, asked).second ? 1 : 0;
        unsure_.erase(id);
      });
}

void TableUsers::SubmitItem(Process& process, Known* known, const std::string& candidate,
                            const WriteRequest& request) {
  known->busy = true;
  known->candidate = candidate;
  Submit(
      process,
      [request](storage::ItemTransaction& tx) {
        storage::WriteReply reply;
        return DecideWrite(tx, kTenant, request, &reply);
      },
      [known, candidate](bool done) {
        known->busy = false;
        if (done) known->now = candidate;
        known->candidate.reset();
      });
}

// Reads, then increments under the condition that the value is unchanged.
void TableUsers::Count(Process& process) {
  if (counter_.busy) return;
  const int is = counter_.now.empty() ? 0 : std::stoi(counter_.now);
  const auto request = Given(Request(Kind::kUpdate, "Accounts", {{"pk", "counter"}}), "SET n = :next",
                             is == 0 ? "attribute_not_exists(pk)" : "n = :was",
                             is == 0 ? storage::Placeholders::Values{{":next", AttributeValue::OfInt(1)}}
                                     : storage::Placeholders::Values{{":next", AttributeValue::OfInt(is + 1)},
                                                                     {":was", AttributeValue::OfInt(is)}});
  SubmitItem(process, &counter_, std::to_string(is + 1), request);
}

// Uses a declared table: the status moves the entry, and some events expire.
void TableUsers::ChangeEvent(Process& process) {
  const std::string id = "ev" + std::to_string(Roll(kEvents));
  Known& known = events_[id];
  if (known.busy) return;
  const Item key{{"pk", "demo"}, {"sk", id}};
  if (Roll(5) == 0) return SubmitItem(process, &known, "", Request(Kind::kDelete, "Events", key));
  const std::string status = known.now == "undelivered" ? "delivered" : "undelivered";
  Item item = key;
  item.Set("tenant_id", "demo");
  item.Set("status", status);
  item.Set("gsi1sk", status + "#" + id);
  // Only items under names of their own expire, because the state of the others must be known.
  if (Roll(4) == 0) {
    item.Set("sk", "gone" + std::to_string(names_++));
    item.Set("ttl",
             AttributeValue::OfInt(process.clock().Now().ms / 1000 + static_cast<int64_t>(Roll(3600))));
    ++expired_;
    const auto request = Request(Kind::kPut, "Events", item);
    return Submit(
        process,
        [request](storage::ItemTransaction& tx) {
          storage::WriteReply reply;
          return DecideWrite(tx, kTenant, request, &reply);
        },
        [](bool) {});
  }
  SubmitItem(process, &known, status, Request(Kind::kPut, "Events", item));
}

std::optional<Item> TableUsers::Read(const storage::Reader& reader, Process& process, const char* table,
                                     const std::string& pk, const std::string& sk) {
  const auto def = process.node().catalog().Find(kTenant, table);
  std::optional<Item> item;
  storage::KeyValues key{AttributeValue(pk), {}};
  if (!sk.empty()) key.range = AttributeValue(sk);
  if (!def || ReadItem({reader, kTenant, process.clock().Now()}, *def, key, &item))
    Complain(std::string(table) + " cannot be read");
  return item;
}

std::set<std::string> TableUsers::Status(const storage::Reader& reader, Process& process,
                                         const char* status) {
  const auto def = process.node().catalog().Find(kTenant, "Events");
  storage::PageRequest request;
  request.index = def->FindIndex("status-index");
  request.key = storage::KeyCondition{AttributeValue("demo"),
                                      storage::KeyCondition::Op::kBeginsWith,
                                      AttributeValue(std::string(status) + "#"),
                                      {}};
  request.limit = 1 + Roll(5);
  std::set<std::string> found;
  for (;;) {
    storage::ItemPage page;
    if (ReadPage({reader, kTenant, process.clock().Now()}, *def, request, &page))
      Complain("Events cannot be read by status");
    for (const Item& item : page.items) {
      if (!found.insert(*item.Find("sk")->text()).second) Complain("Events: read twice by status");
      if (*item.Find("status")->text() != status) Complain("Events: listed under a status that was");
    }
    if (!page.last) return found;
    request.start = page.last;
  }
}

// At any moment each event is in at most one list.
void TableUsers::ReadEvents(Process& process) {
  const storage::Snapshot snapshot = process.table().NewSnapshot();
  const auto left = Status(*snapshot, process, "undelivered"), done = Status(*snapshot, process, "delivered");
  for (const std::string& id : left) {
    if (done.contains(id)) Complain("Events: " + id + " is in both lists");
  }
}

void TableUsers::ProcessGone() {
  life_ = std::make_shared<int>();
  making_ = false;
}

void TableUsers::Learn(Known* known, const std::string& found, const std::string& what, const char* when) {
  if (found != known->now && found != known->candidate)
    Complain(std::string(when) + ": " + what + " was acknowledged as '" + known->now + "' and is '" + found +
             "'");
  *known = {found, {}, false};
}

void TableUsers::Check(Process& process, const char* when) {
  const storage::Snapshot snapshot = process.table().NewSnapshot();
  has_table_ = has_table_ || process.node().catalog().Find(kTenant, "Accounts") != nullptr;
  if (!has_table_) return;
  if (!process.node().catalog().Find(kTenant, "Accounts"))
    return Complain(std::string(when) + ": a table that was made is not there");
  const auto count = Read(*snapshot, process, "Accounts", "counter");
  Learn(&counter_, count ? std::to_string(NumberIn(count, "n")) : "", "the counter", when);

  std::vector<int> expected(kAccounts, kMoney);
  for (const auto& [id, transfer] : unsure_) {
    if (Read(*snapshot, process, "Accounts", id)) moved_.emplace(id, transfer);
  }
  for (const auto& [id, transfer] : moved_) {
    unsure_.erase(id);
    if (!Read(*snapshot, process, "Accounts", id))
      Complain(std::string(when) + ": an acknowledged transaction is lost: " + id);
    expected[transfer.from] -= transfer.amount;
    expected[transfer.to] += transfer.amount;
  }
  unsure_.clear();
  for (size_t i = 0; i < kAccounts; ++i) {
    const int is = NumberIn(Read(*snapshot, process, "Accounts", AccountName(i)), "n");
    if (is != expected[i])
      Complain(std::string(when) + ": an account has " + std::to_string(is) + " and should have " +
               std::to_string(expected[i]));
  }

  const auto left = Status(*snapshot, process, "undelivered"), done = Status(*snapshot, process, "delivered");
  for (auto& [id, known] : events_) {
    const auto item = Read(*snapshot, process, "Events", "demo", id);
    Learn(&known, item ? *item->Find("status")->text() : "", id, when);
    if (left.contains(id) != (known.now == "undelivered") || done.contains(id) != (known.now == "delivered"))
      Complain(std::string(when) + ": the lists by status do not agree on " + id);
  }
}

}  // namespace parley::sim
