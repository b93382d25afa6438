// Filled stores: verify accepts them, and a stored one is filled once and never changed.
#include "bench/load/dataset.h"

#include <gtest/gtest.h>

#include <filesystem>
#include <fstream>

#include "bench/process/server_process.h"
#include "fanout/projections.h"
#include "features/all.h"
#include "protocol/base/clock.h"
#include "storage/rocksdb_table.h"

namespace parley::bench {
namespace {

DatasetPlan Small() {
  DatasetPlan plan;
  plan.threads = 20;
  plan.members = 3;
  plan.messages = 600;
  plan.more_threads = 50;
  plan.more_messages = 100;
  plan.body_bytes = 20;
  plan.everywhere = "everywhere";
  return plan;
}

fanout::VerifyReport Verified(const std::string& dir) {
  storage::RocksdbSettings settings;
  settings.dir = dir;
  auto opened = storage::OpenRocksdb(settings);
  fanout::VerifyReport report;
  const auto differs = [](const std::string& what) { ADD_FAILURE() << what; };
  const auto status = features::VerifyStore(*std::get<std::unique_ptr<storage::Table>>(opened),
                                            protocol::SystemClock().Now(), differs, &report);
  EXPECT_TRUE(status.ok()) << status.detail;
  return report;
}

std::string Names(const std::string& dir) {
  std::string names;
  for (const auto& entry : std::filesystem::recursive_directory_iterator(dir))
    names += entry.path().string() + " " +
             (entry.is_regular_file() ? std::to_string(entry.file_size()) : std::string("dir")) + "\n";
  return names;
}

TEST(Dataset, equals_the_output_of_a_server) {
  const ScratchDir dir(testing::TempDir());
  const auto threads = FillStore(dir.path(), Small());
  EXPECT_EQ(threads.size(), 20u);
  const auto report = Verified(dir.path());
  EXPECT_EQ(report.threads, 70u);
  EXPECT_EQ(report.messages, 700u);
  EXPECT_GE(report.inbox_rows, 70u * 3);
  EXPECT_EQ(report.pending, 0u);
  EXPECT_EQ(report.differences, 0u);
}

class NobodyListens final : public fanout::NoticeSink {
  void OnEntries(std::vector<fanout::EntryNotice>, storage::Position) override {}
};

// Otherwise a measurement would share its cores with a server that rewrites rows of an earlier version.
TEST(Dataset, leaves_a_server_nothing_to_rewrite) {
  const ScratchDir dir(testing::TempDir());
  FillStore(dir.path(), Small());
  storage::RocksdbSettings settings;
  settings.dir = dir.path();
  auto opened = storage::OpenRocksdb(settings);
  NobodyListens sink;
  protocol::Metrics metrics;
  fanout::Worker worker(*std::get<std::unique_ptr<storage::Table>>(opened), {}, sink, metrics);
  fanout::AddProjections([](const auto&, const auto&) { return false; }, &worker);
  ASSERT_TRUE(worker.Open({protocol::TenantId{"demo"}}).ok());
  EXPECT_FALSE(worker.Step());
}

TEST(Dataset, is_stored_whole_and_not_filled_again) {
  const ScratchDir scratch(testing::TempDir());
  const std::string keep = scratch.path() + "/keep";
  std::vector<protocol::ThreadId> threads;
  std::string names;
  {
    const Dataset first(scratch.path(), keep, Small());
    threads = first.threads();
    names = Names(keep);
    // Changes of a clone do not affect the stored original.
    for (const auto& entry : std::filesystem::directory_iterator(first.dir())) {
      if (entry.path().extension() == ".log") std::ofstream(entry.path(), std::ios::app) << "changed";
    }
    for (const auto& entry : std::filesystem::directory_iterator(first.dir()))
      std::filesystem::remove_all(entry.path());
  }
  const Dataset second(scratch.path(), keep, Small());
  EXPECT_EQ(second.threads(), threads);
  EXPECT_EQ(Names(keep), names);
  EXPECT_EQ(Verified(second.dir()).messages, 700u);
}

TEST(Dataset, is_refilled_after_an_interrupted_filling) {
  const ScratchDir scratch(testing::TempDir());
  const std::string keep = scratch.path() + "/keep";
  { const Dataset whole(scratch.path(), keep, Small()); }
  for (const auto& entry : std::filesystem::directory_iterator(keep))
    std::filesystem::remove(entry.path() / "threads");  // the file written last
  const Dataset again(scratch.path(), keep, Small());
  EXPECT_EQ(again.threads().size(), 20u);
  EXPECT_EQ(Verified(again.dir()).messages, 700u);
}

TEST(Dataset, with_another_plan_is_another_store) {
  const ScratchDir scratch(testing::TempDir());
  const std::string keep = scratch.path() + "/keep";
  DatasetPlan larger = Small();
  larger.messages = 800;
  const Dataset one(scratch.path(), keep, Small()), other(scratch.path(), keep, larger);
  EXPECT_EQ(Verified(other.dir()).messages, 900u);
}

}  // namespace
}  // namespace parley::bench
