#include <gtest/gtest.h>

#include "storage/engine/service_rules.h"
#include "tests/storage/engine/item_scene.h"
#include "tests/storage/expressions/key_condition_text.h"
#include "tests/storage/memory_sealer.h"

namespace parley::storage {
namespace {

KeyAttribute KeyFrom(std::string_view text) {
  const size_t space = text.find(' ');
  return {std::string(text.substr(0, space)), *AttributeTypeNamed(text.substr(space + 1))};
}

// "a S + b N"
std::vector<KeyAttribute> KeysFrom(std::string_view text) {
  std::vector<KeyAttribute> keys;
  for (;;) {
    const size_t plus = text.find(" + ");
    keys.push_back(KeyFrom(text.substr(0, plus)));
    if (plus == std::string_view::npos) return keys;
    text.remove_prefix(plus + 3);
  }
}

KeySchema SchemaFrom(std::string_view hash, std::string_view range) {
  KeySchema schema{KeyFrom(hash), {}};
  if (!range.empty()) schema.range = KeyFrom(range);
  return schema;
}

std::string_view NameOf(FaultKind kind) {
  constexpr std::string_view kNames[] = {"Validation",          "ConditionFailed",    "TransactionCanceled",
                                         "IdempotencyMismatch", "TableNotFound",      "TableInUse",
                                         "LimitExceeded",       "CollectionTooLarge", "NotUnique",
                                         "Unavailable",         "NotInMemory",        "Internal"};
  return kNames[static_cast<size_t>(kind)];
}

std::string ImageText(const std::optional<Item>& image) {
  return image ? TextOfItem(*image) : "-";
}

}  // namespace

IndexDef IndexFrom(std::string_view text, uint16_t number) {
  IndexDef index;
  index.number = number;
  const size_t colon = text.find(": ");
  index.name = text.substr(0, colon);
  text.remove_prefix(colon + 2);
  const size_t comma = text.find(", ");
  std::vector<KeyAttribute> hash = KeysFrom(text.substr(0, comma)), range;
  if (comma != std::string_view::npos) range = KeysFrom(text.substr(comma + 2));
  index.keys.hash = hash.front();
  index.keys.more_hash.assign(hash.begin() + 1, hash.end());
  if (range.empty()) return index;
  index.keys.range = range.front();
  index.keys.more_range.assign(range.begin() + 1, range.end());
  return index;
}

TableDefPtr TableFrom(const TableText& text) {
  auto def = std::make_shared<TableDef>();
  def->name = text.name;
  def->owner = text.owner;
  def->keys = SchemaFrom(text.hash, text.range);
  for (const std::string& index : text.indexes)
    def->indexes.push_back(IndexFrom(index, ++def->index_numbers));
  def->ttl_attribute = text.ttl;
  def->stream_images = text.images;
  for (const std::string& attribute : text.unique)
    def->unique.push_back({static_cast<uint16_t>(def->unique.size() + 1), {attribute}, text.global_unique});
  return def;
}

WriteText::WriteText(WriteRequest::Kind kind, std::string table, std::string_view item) {
  request_.kind = kind;
  request_.table = std::move(table);
  request_.item = ItemFrom(item);
}

WriteText& WriteText::Set(std::string_view update, std::string_view values, std::string_view names) {
  Placeholders given = Given(names, values);
  EXPECT_EQ(ParseUpdate(update, &given, &request_.update), "") << update;
  return *this;
}

WriteText& WriteText::If(std::string_view condition, std::string_view values) {
  Placeholders given = Given("", values);
  EXPECT_EQ(ParseCondition("ConditionExpression", condition, &given, &request_.condition), "") << condition;
  return *this;
}

WriteText& WriteText::TellItem() {
  request_.tells_item = true;
  return *this;
}

WriteText Put(std::string table, std::string_view item) {
  return {WriteRequest::Kind::kPut, std::move(table), item};
}
WriteText Change(std::string table, std::string_view key, std::string_view update, std::string_view values,
                 std::string_view names) {
  return WriteText(WriteRequest::Kind::kUpdate, std::move(table), key).Set(update, values, names);
}
WriteText Delete(std::string table, std::string_view key) {
  return {WriteRequest::Kind::kDelete, std::move(table), key};
}
WriteText Check(std::string table, std::string_view key, std::string_view condition,
                std::string_view values) {
  return WriteText(WriteRequest::Kind::kCheck, std::move(table), key).If(condition, values);
}

std::string TextOf(const MaybeFault& fault) {
  if (!fault) return "ok";
  std::string text(NameOf(fault->kind));
  if (fault->item) text += " {" + TextOfItem(*fault->item) + "}";
  if (fault->reasons.empty()) return text;
  std::string reasons;
  for (const auto& reason : fault->reasons) {
    reasons += (reasons.empty() ? "" : ", ") + (reason ? reason->code : "None");
    if (reason && reason->item) reasons += " {" + TextOfItem(*reason->item) + "}";
  }
  return text + " [" + reasons + "]";
}

ItemScene::ItemScene(std::unique_ptr<StoreUnderTest> store, std::vector<TableDefPtr> tables)
    : seeds(std::move(tables)), store_(std::move(store)) {
  Restart();
}
ItemScene::~ItemScene() = default;

void ItemScene::Restart() {
  if (writer_) {
    writer_.reset();
    committer_.reset();
    store_->Reopen();
  }
  metrics_ = std::make_unique<protocol::Metrics>();
  committer_ = std::make_unique<Committer>(table());
  catalog_ = std::make_unique<Catalog>(seeds);
  EXPECT_TRUE(catalog_->Load(table()).ok());
  ItemWriterSettings settings;
  settings.sealer = SealerInMemory("scene");
  settings.on_expired = [this](const TableDef& def, const Item&) { expired.push_back(def.name); };
  writer_ = std::make_unique<ItemWriter>(table(), *committer_, *catalog_, clock, std::move(settings), *this,
                                         *metrics_);
}

void ItemScene::OnItemAnswers(std::vector<ItemJob> done, const Status& status) {
  for (ItemJob& job : done) job.done(status);
}

void ItemScene::Submit(std::function<MaybeFault(ItemTransaction&)> decide, std::string* answer) {
  const auto said = std::make_shared<std::string>();
  ItemJob job;
  job.decide = [said, decide = std::move(decide)](ItemTransaction& tx) { *said = TextOf(decide(tx)); };
  job.done = [said, answer](const Status& status) { *answer = status.ok() ? *said : "Unavailable"; };
  EXPECT_TRUE(writer_->Submit(job));
}

void ItemScene::Submit(const WriteText& write, std::string* answer) {
  Submit(
      [this, request = write.request()](ItemTransaction& tx) {
        WriteReply reply;
        return DecideWrite(tx, tenant, request, &reply);
      },
      answer);
}

std::string ItemScene::Decide(std::function<MaybeFault(ItemTransaction&)> decide) {
  std::string answer = "no answer";
  Submit(std::move(decide), &answer);
  EXPECT_TRUE(writer_->Step());
  return answer;
}

std::string ItemScene::Do(const WriteText& write) {
  return DoTogether({write}).front();
}

std::vector<std::string> ItemScene::DoTogether(const std::vector<WriteText>& writes) {
  std::vector<std::string> answers(writes.size(), "no answer");
  for (size_t i = 0; i < writes.size(); ++i) Submit(writes[i], &answers[i]);
  EXPECT_TRUE(writer_->Step());
  return answers;
}

std::string ItemScene::Transact(const std::vector<WriteText>& writes, std::string_view token,
                                std::string_view digest) {
  TransactWrite transaction;
  for (const WriteText& write : writes) transaction.writes.push_back(write.request());
  transaction.token = token;
  transaction.digest = digest;
  bool repeated = false;
  std::string said = Decide([&](ItemTransaction& tx) {
    TransactionReply reply;
    auto fault = DecideTransaction(tx, tenant, transaction, &reply);
    repeated = reply.repeated;
    return fault;
  });
  return said == "ok" && repeated ? "repeated" : said;
}

std::string ItemScene::DoBatch(const std::vector<WriteText>& writes) {
  std::vector<WriteRequest> requests;
  for (const WriteText& write : writes) requests.push_back(write.request());
  return Decide([&](ItemTransaction& tx) {
    std::vector<WriteReply> replies;
    return DecideBatch(tx, tenant, requests, &replies);
  });
}

size_t ItemScene::StepUntilIdle(size_t most) {
  size_t steps = 0;
  while (steps < most && writer_->Step()) ++steps;
  return steps;
}

const TableDef& ItemScene::Def(std::string_view table) {
  const TableDefPtr def = catalog_->Find(tenant, table);
  if (!def) {
    ADD_FAILURE() << "no table " << table;
    std::abort();
  }
  return *def;  // the catalog owns the definition until it is changed
}

std::string ItemScene::Get(std::string_view name, std::string_view key) {
  const TableDef& def = Def(name);
  const auto values = KeyOf(def.keys, ItemFrom(key));
  std::optional<Item> item;
  if (auto fault = ReadItem({table(), tenant, clock.Now()}, def, *values, &item)) return TextOf(fault);
  return ImageText(item);
}

std::vector<std::string> ItemScene::Read(const PageText& ask, std::optional<Item> start, ItemPage* page) {
  const TableDefPtr def = catalog_->Find(tenant, ask.table);
  PageRequest request;
  if (!ask.index.empty()) request.index = def->FindIndex(ask.index);
  const KeySchema& keys = request.index ? request.index->keys : def->keys;
  if (!ask.key.empty()) {
    Placeholders given = Given("", ask.values);
    EXPECT_EQ(ParseKeyCondition(ask.key, keys, &given, &request.key.emplace()), "") << ask.key;
  }
  if (!ask.filter.empty()) {
    Placeholders given = Given("", ask.filter_values);
    EXPECT_EQ(ParseCondition("FilterExpression", ask.filter, &given, &request.filter), "") << ask.filter;
  }
  request.limit = ask.limit;
  request.forward = ask.forward;
  request.segment = ask.segment;
  request.segments = ask.segments;
  request.start = std::move(start);
  ItemPage own;
  ItemPage& out = page ? *page : own;
  const auto fault = ReadPage({table(), tenant, clock.Now()}, *def, request, &out);
  if (fault) return {TextOf(fault)};
  std::vector<std::string> texts;
  for (const Item& item : out.items) texts.push_back(TextOfItem(item));
  return texts;
}

std::vector<std::string> ItemScene::ReadAll(const PageText& ask) {
  std::vector<std::string> all;
  std::optional<Item> start;
  do {
    ItemPage page;
    const std::vector<std::string> texts = Read(ask, start, &page);
    all.insert(all.end(), texts.begin(), texts.end());
    start = page.last;
    EXPECT_TRUE(ask.limit == 0 || page.scanned <= ask.limit);
  } while (start && all.size() < 100'000);
  return all;
}

std::vector<std::string> ItemScene::Check(ItemCheckReport* report) {
  std::vector<std::string> out;
  ItemCheckReport own;
  const Snapshot snapshot = table().NewSnapshot();
  const Status status = CheckItems(
      *snapshot, seeds, clock.Now(), [&](const std::string& what) { out.push_back(what); },
      report ? report : &own);
  EXPECT_TRUE(status.ok()) << status.detail;
  return out;
}

TableStats ItemScene::StatsOf(std::string_view name) {
  std::optional<Row> row;
  TableStats stats;
  EXPECT_TRUE(table().Get(TablePartition(tenant, Def(name)), StatsKey(), &row).ok());
  EXPECT_TRUE(!row || DecodeStats(row->payload, &stats));
  return stats;
}

std::vector<std::string> ItemScene::TakeLog() {
  std::vector<std::string> out;
  const auto visit = [&](Position position, std::string_view bytes) {
    log_at_ = position;
    ItemEntry entry;
    EXPECT_TRUE(DecodeItemEntry(bytes, &entry));
    std::string text;
    for (const ItemEntry::Change& change : entry.changes) {
      const auto partition = PartitionKey::FromBytes(change.table);
      const std::string_view id = partition ? partition->id() : "?";
      text += text.empty() ? "" : "; ";
      text += change.reason == ChangeReason::kExpired ? "expired " : "user ";
      text += std::string(id.substr(0, id.find('/'))) + " ";
      text += change.existed ? (change.exists ? "modify" : "remove") : (change.exists ? "insert" : "nothing");
      if (change.before || change.after)
        text += " " + ImageText(change.before) + " -> " + ImageText(change.after);
    }
    out.push_back(text);
    return true;
  };
  EXPECT_TRUE(table().ReadLog(log_at_, SIZE_MAX, visit).ok());
  return out;
}

void ItemScene::Plant(const PartitionKey& partition, const SortKey& sort, std::optional<Row> row) {
  CommitRequest request;
  request.partition = partition;
  request.writes.push_back({sort, std::move(row)});
  std::vector<CommitResult> results;
  EXPECT_TRUE(table().Commit({&request, 1}, &results).ok());
}

std::vector<RowKey> ItemScene::Rows(TableTag tag) {
  std::vector<RowKey> rows;
  EXPECT_TRUE(table()
                  .ScanAll(tag,
                           [&](const PartitionKey& partition, const SortKey& sort, RowView) {
                             rows.push_back({partition, sort});
                             return true;
                           })
                  .ok());
  return rows;
}

}  // namespace parley::storage
