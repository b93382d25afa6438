// Damaged rows: a node skips an unreadable thread and reports it, repairs derived rows that differ, and
// refuses a store whose log lacks needed entries; and the report of parleyctl.
#include <gmock/gmock.h>

#include "accounts/audit/audit_row.h"
#include "ctl/ctl.h"
#include "fanout/inbox_rows.h"
#include "fanout/keys.h"
#include "gateway/app/node.h"
#include "storage/engine/catalog.h"
#include "storage/engine/item_keys.h"
#include "storage/engine/item_transaction.h"
#include "storage/items/item_codec.h"
#include "tests/gateway/fake_server_support.h"
#include "tests/storage/memory_sealer.h"
#include "threads/model/keys.h"

namespace parley::gateway_test {
namespace {

using ctl::CtlArgs;
using ctl::kCtlClean;
using ctl::kCtlCouldNotRun;
using ctl::kCtlDifferences;
using testing::HasSubstr;
using testing::Not;

class UpkeepTest : public testing::Test {
 protected:
  void SetUp() override {
    ana_.emplace(world_->Join("ana"));
    thread_ = world_.NewThread(*ana_, "ana", "bob");
    world_.Say(*ana_, thread_, "one");
    world_->Settle();
  }
  protocol::ThreadId Thread() const { return *protocol::ThreadId::FromText(thread_); }
  void Plant(const storage::PartitionKey& partition, const storage::SortKey& sort,
             std::optional<std::string> payload) {
    storage::DerivedWrite write{partition, sort, std::nullopt};
    if (payload) write.row = storage::Row{1, *payload};
    storage::Position cursor = 0;
    ASSERT_TRUE(world_.table().ReadCursor("inbox", &cursor).ok());
    ASSERT_TRUE(world_.table().Apply({&write, 1}, "inbox", cursor).ok());
  }
  // Runs parleyctl verify on the table; returns the exit code and the output.
  std::pair<int, std::string> Verify() {
    std::FILE* out = std::tmpfile();
    const int code = ctl::CtlVerify(world_.table(), CtlArgs(), out, stderr);
    std::rewind(out);
    std::string text(4096, '\0');
    text.resize(std::fread(text.data(), 1, text.size(), out));
    std::fclose(out);
    return {code, text};
  }
  std::string Metric(const std::string& name) {
    const std::string text = world_->metrics().Render();
    const size_t at = text.find("\n" + name + " ");
    return at == std::string::npos
               ? "none"
               : text.substr(at + name.size() + 2, text.find('\n', at + 1) - at - name.size() - 2);
  }

  World world_{DemoConfig()};
  std::optional<FakeClient> ana_;
  std::string thread_;
};

TEST_F(UpkeepTest, a_quarantined_thread_is_reported_and_the_node_stays_ready) {
  EXPECT_EQ(world_->Http("GET", "/readyz").body, "ready\n");
  Plant(threads::ThreadPartition(kTenant, Thread()), threads::ParticipantKey({"bob"}), "\xc1");
  world_.Say(*ana_, thread_, "two");
  world_->Settle();
  const auto ready = world_->Http("GET", "/readyz");
  EXPECT_EQ(ready.status, 200);
  EXPECT_EQ(ready.body, "ready\nthreads set aside: 1\n") << "which ones is the operator's to know";
  const auto shown =
      world_->Http("GET", "/readyz", "", {{"Authorization", "Bearer " + FakeServer::operator_key()}});
  EXPECT_THAT(shown.body, HasSubstr("ready\nthreads set aside: 1\ninbox: demo " + thread_ + ": "));
  FakeClient carl = world_->Join("carl");
  const std::string other = world_.NewThread(carl, "carl", "dora");
  FakeClient dora = world_->Join("dora");
  EXPECT_THAT(dora.Ask("inbox.list").Json(), HasSubstr(other)) << "others are served";
  EXPECT_THAT(ana_->Ask("inbox.list").Json(), HasSubstr(thread_)) << "as the thread was before";
  const auto [code, said] = Verify();
  EXPECT_EQ(code, kCtlDifferences);
  EXPECT_THAT(said, HasSubstr("set aside by the projection inbox"));
}

TEST_F(UpkeepTest, the_scrubber_counts_and_repairs_a_damaged_entry) {
  auto& scrubber = world_->node().scrubber();
  for (int i = 0; i < 10; ++i) EXPECT_GT(scrubber.Step(), 0u);
  EXPECT_EQ(Metric("parley_inbox_divergence_total"), "0");
  EXPECT_THAT(Metric("parley_scrubbed_threads_total"), Not("0"));
  EXPECT_THAT(Metric("parley_scrubbed_last_seconds"), Not("0"));

  Plant(fanout::InboxPartition(kTenant, {"bob"}), fanout::InboxCountsKey(), std::nullopt);
  for (int i = 0; i < 10 && scrubber.found() == 0; ++i) scrubber.Step();
  EXPECT_EQ(Metric("parley_inbox_divergence_total"), "1");
  EXPECT_EQ(scrubber.Step(), 0u) << "not again while it is being put right";
  while (world_->node().worker().Step()) {
  }
  for (int i = 0; i < 10; ++i) scrubber.Step();
  EXPECT_EQ(Metric("parley_inbox_divergence_total"), "1");
  world_->node().worker().SaveCursors();
  const auto [code, said] = Verify();
  EXPECT_EQ(code, kCtlClean) << said;
  EXPECT_THAT(said, HasSubstr("repaired: demo: "));
  EXPECT_THAT(said, HasSubstr("the counts differ from the rows"));
}

// The audit cannot be repaired from other rows, so the scrubber and verify only report it.
TEST_F(UpkeepTest, the_scrubber_and_verify_report_a_changed_entry_of_the_audit) {
  FakeClient mod = world_->Connect();
  mod.Hello(world_->Token("mod", "moderator"));
  for (const char* status : {"locked", "open"})
    mod.Ask("thread.setStatus",
            Args({{"threadId", thread_}, {"status", status}, {"reason", std::string("why ") + status}}));
  auto& scrubber = world_->node().scrubber();
  for (int i = 0; i < 10; ++i) scrubber.Step();
  EXPECT_EQ(scrubber.found(), 0u);

  std::optional<storage::Row> row;
  const auto chain = accounts::AuditPartition(kTenant);
  ASSERT_TRUE(world_.table().Get(chain, accounts::AuditEntryKey(1), &row).ok() && row);
  row->payload.replace(row->payload.find("why locked"), 10, "why opened");
  Plant(chain, accounts::AuditEntryKey(1), row->payload);
  for (int i = 0; i < 10 && scrubber.found() == 0; ++i) scrubber.Step();
  EXPECT_GT(scrubber.found(), 0u);
  world_->node().worker().SaveCursors();
  const auto [code, said] = Verify();
  EXPECT_EQ(code, kCtlDifferences);
  EXPECT_THAT(said, HasSubstr("demo: the audit: entry 1 was changed"));
  EXPECT_THAT(said, HasSubstr("entry 1 differs from its thread"));
}

TEST_F(UpkeepTest, verify_fails_on_threads_that_it_cannot_judge) {
  world_->node().worker().SaveCursors();
  EXPECT_EQ(Verify().first, kCtlClean);
  world_->HoldWorker(true);
  world_.Say(*ana_, thread_, "two");
  auto [code, said] = Verify();
  EXPECT_EQ(code, kCtlCouldNotRun);
  EXPECT_THAT(said, HasSubstr("0 differences, 1 threads not judged\n"));
  EXPECT_EQ(ctl::CtlProject(world_.table(), storage::SealerInMemory(world_.table().identity().secret)), "");
  EXPECT_EQ(Verify().first, kCtlClean) << "projected first, all is judged";
}

TEST_F(UpkeepTest, verify_fails_on_an_index_that_is_being_filled) {
  storage::TableDef def;
  def.name = "Own";
  def.keys.hash.name = "pk";
  def.generation = 1;
  storage::IndexDef index;
  index.number = def.index_numbers = 1;
  index.name = "by-x";
  index.keys.hash.name = "x";
  index.status = storage::IndexStatus::kCreating;
  def.indexes.push_back(index);
  const storage::PartitionKey own = storage::TablePartition(kTenant, def);
  const storage::Item item{{"pk", "a"}, {"x", "b"}};
  Plant(storage::DefinitionPartition(), storage::DefinitionKey(kTenant, "Own"), EncodeDefinition(def));
  Plant(storage::RecordPartition("store"), storage::RecordKey("generation"), "\x01");
  Plant(own, ItemKey(def, *KeyOf(def.keys, item)), EncodeItem(item));
  Plant(own, storage::StatsKey(), storage::EncodeStats({1, 5}));
  world_->node().worker().SaveCursors();
  const auto [code, said] = Verify();
  EXPECT_EQ(code, kCtlCouldNotRun) << said;
  EXPECT_THAT(said, HasSubstr("2 items, 1 index entries")) << "one is the record of the demo, with its entry";
  EXPECT_THAT(said, HasSubstr("1 rows of tables not judged"));
}

TEST_F(UpkeepTest, a_store_whose_log_lacks_entries_of_a_projection_is_refused) {
  world_->HoldWorker(true);
  world_.Say(*ana_, thread_, "two");
  ASSERT_TRUE(world_.table().TrimLog(world_.table().LastPosition()).ok());
  protocol::Metrics metrics;
  FakeClock clock;
  FakeLoop loop(clock);
  const auto ids = protocol::NewSeededIdSource(1);
  gateway::Node node(world_.table(), clock, *ids, loop, DemoConfig(), metrics,
                     storage::SealerInMemory(world_.table().identity().secret));
  EXPECT_THAT(node.Open(), HasSubstr("has processed the change log up to"));
  world_->HoldWorker(false);
}

TEST(CtlArgs, are_checked_for_each_command) {
  const auto parse = [](std::vector<std::string> words) {
    CtlArgs args;
    words.insert(words.begin(), {"--data", "d"});
    return ctl::ParseCtlArgs(words, &args);
  };
  EXPECT_EQ(parse({"epoch", "--renew"}), "");
  EXPECT_EQ(parse({"verify", "--project"}), "");
  EXPECT_EQ(parse({"verify", "--renew"}), "--renew belongs to epoch");
  EXPECT_EQ(parse({"epoch", "--project"}), "--project belongs to verify");
}

}  // namespace
}  // namespace parley::gateway_test
