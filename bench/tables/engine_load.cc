#include "bench/tables/engine_load.h"

#include <unistd.h>

#include <cstdio>
#include <cstdlib>

#include "bench/measure/cpu.h"
#include "storage/declarations/load.h"
#include "storage/engine/item_reads.h"
#include "storage/engine/item_writer.h"
#include "storage/engine/item_writes.h"
#include "storage/rocksdb_table.h"

namespace parley::bench {
namespace {

using storage::AttributeValue;
using storage::Item;
using storage::WriteRequest;

[[noreturn]] void Give(const std::string& why) {
  std::fprintf(stderr, "parley-bench: the table engine: %s\n", why.c_str());
  std::exit(1);
}

void Must(const storage::MaybeFault& fault) {
  if (fault) Give(fault->message);
}
void Must(const storage::Fault& fault) {
  if (!fault.empty()) Give(fault);
}

std::unique_ptr<storage::Table> OpenStore(const std::string& dir) {
  storage::RocksdbSettings settings;
  settings.dir = dir;
  auto opened = storage::OpenRocksdb(settings);
  if (const auto* error = std::get_if<storage::OpenError>(&opened)) Give(error->message);
  return std::move(std::get<std::unique_ptr<storage::Table>>(opened));
}

Item KeyOf(size_t number) {
  return {{"pk", DocumentOf(number, 0).pk}, {"sk", "document"}};
}

WriteRequest PutOf(size_t number, uint32_t draw) {
  const Document document = DocumentOf(number, draw);
  WriteRequest request;
  request.table = kDocumentTable;
  request.item = {{"pk", document.pk},
                  {"sk", "document"},
                  {"workspaceId", document.workspace},
                  {"name", document.name},
                  {"filename", document.filename},
                  {"folderPath", document.folder},
                  {"s3Key", document.key},
                  {"contentType", "application/pdf"},
                  {"size", AttributeValue::OfInt(static_cast<int64_t>(document.size))}};
  if (number % 2 == 1) request.item.Set("version", AttributeValue::OfInt(0));
  return request;
}

WriteRequest UpdateOf(size_t number, uint32_t draw) {
  const Document document = DocumentOf(number, draw);
  storage::Placeholders placeholders;
  Must(placeholders.SetNames({{"#v", "version"}, {"#n", "name"}}));
  Must(placeholders.SetValues(
      {{":one", AttributeValue::OfInt(1)}, {":n", document.name}, {":f", document.folder}}));
  WriteRequest request;
  request.kind = WriteRequest::Kind::kUpdate;
  request.table = kDocumentTable;
  request.item = KeyOf(number);
  Must(storage::ParseUpdate("SET #v = #v + :one, #n = :n", &placeholders, &request.update));
  Must(storage::ParseCondition("ConditionExpression", "attribute_exists(pk) AND folderPath = :f",
                               &placeholders, &request.condition));
  return request;
}

std::vector<WriteRequest> WritesOf(TableOp op, const Picks& picks) {
  if (op == TableOp::kPut) return {PutOf(picks.put, picks.draw)};
  if (op == TableOp::kUpdate) return {UpdateOf(picks.update, picks.draw)};
  return {PutOf(picks.put, picks.draw), UpdateOf(picks.update, picks.draw),
          UpdateOf(picks.second_update, picks.draw)};
}

}  // namespace

struct EngineLoad::Store final : storage::ItemAnswerSink {
  explicit Store(const std::string& dir)
      : table(OpenStore(dir)),
        committer(*table),
        catalog(storage::SeedTables()),
        writer(*table, committer, catalog, clock, {}, *this, metrics),
        def(catalog.Find(tenant, kDocumentTable)) {}

  void OnItemAnswers(std::vector<storage::ItemJob> done, const storage::Status& status) override {
    if (!status.ok()) Give(status.detail);
    answered += done.size();
  }
  // Decided with the batch; `writes` must stay valid until then.
  void Submit(const std::vector<WriteRequest>& writes) {
    storage::ItemJob job;
    job.decide = [this, &writes](storage::ItemTransaction& tx) {
      if (writes.size() == 1) {
        storage::WriteReply reply;
        return Must(storage::DecideWrite(tx, tenant, writes[0], &reply));
      }
      storage::TransactionReply reply;
      Must(storage::DecideTransaction(tx, tenant, {writes, "", ""}, &reply));
    };
    if (!writer.Submit(job)) Give("its queue is full");
  }

  const protocol::TenantId tenant{"demo"};
  const std::unique_ptr<storage::Table> table;
  const protocol::SystemClock clock;
  protocol::Metrics metrics;
  storage::Committer committer;
  storage::Catalog catalog;
  storage::ItemWriter writer;
  const storage::TableDefPtr def;
  uint64_t answered = 0;
};

EngineLoad::EngineLoad(const std::string& dir, size_t items) : store_(std::make_unique<Store>(dir)) {
  std::vector<std::vector<WriteRequest>> all;
  for (size_t i = 0; i < items; ++i) all.push_back({PutOf(i, 0)});
  for (size_t i = 0; i < items; ++i) {
    store_->Submit(all[i]);
    if (i % 500 == 499 || i + 1 == items) store_->writer.Step();
  }
}

EngineLoad::~EngineLoad() = default;

EngineTurn EngineLoad::Run(const TablePlan& plan, TableOp op, double seconds) {
  const bool writes = Describe(op).writes;
  const size_t turns = plan.items / plan.clients;
  std::vector<std::vector<WriteRequest>> prepared;  // all turns of a client, then the next client's
  for (size_t i = 0; writes && i < turns * plan.clients; ++i)
    prepared.push_back(WritesOf(op, PicksOf(plan, i / turns, i % turns)));
  store_->answered = 0;
  const int64_t began = NowNs(), cpu = ReadCpu(getpid()).on_cpu_ns;
  const int64_t end = began + static_cast<int64_t>(seconds * 1e9);
  for (size_t turn = 0; NowNs() < end; ++turn) {
    for (size_t client = 0; client < plan.clients; ++client) {
      if (writes) {
        store_->Submit(prepared[client * turns + turn % turns]);
      } else {
        Read(op, PicksOf(plan, client, turn));
      }
    }
    if (writes) store_->writer.Step();
  }
  const auto count = static_cast<double>(store_->answered);
  return {count * 1e9 / static_cast<double>(NowNs() - began),
          static_cast<double>(ReadCpu(getpid()).on_cpu_ns - cpu) / 1e3 / count};
}

void EngineLoad::Read(TableOp op, const Picks& picks) {
  const storage::ItemReads reads{*store_->table, store_->tenant, store_->clock.Now()};
  ++store_->answered;
  if (op == TableOp::kGet) {
    std::optional<Item> item;
    const std::string pk = DocumentOf(picks.get, 0).pk;
    Must(storage::ReadItem(reads, *store_->def, {pk, AttributeValue("document")}, &item));
    if (!item) Give("an item is missing");
    return;
  }
  storage::PageRequest request;
  request.index = store_->def->FindIndex("byWorkspaceId");
  request.key.emplace().hash = DocumentOf(picks.workspace * kWorkspaceItems, 0).workspace;
  request.limit = kQueryItems;
  storage::ItemPage page;
  Must(storage::ReadPage(reads, *store_->def, request, &page));
  if (page.items.size() != kQueryItems) Give("a page is not full");
}

}  // namespace parley::bench
