// Tests the cost of opening a thread: one partition, and in it one scan for all tabs of the panel.
#include <gmock/gmock.h>

#include <map>
#include <set>

#include "tests/fanout/fanout_scene.h"
#include "threads/lifecycle/thread_reads.h"

namespace parley::fanout {
namespace {

// Counts the scans of each kind of row, and the partitions read.
class CountingReader final : public storage::Reader {
 public:
  explicit CountingReader(const storage::Reader& under) : under_(under) {}
  storage::Status Get(const storage::PartitionKey& partition, const storage::SortKey& sort,
                      std::optional<storage::Row>* out) const override {
    partitions.insert(partition.bytes());
    if (sort.bytes()[0] == static_cast<char>(storage::ThreadTag::kTab)) ++tabs_got;
    return under_.Get(partition, sort, out);
  }
  storage::Status MultiGet(std::span<const storage::RowKey> keys,
                           std::vector<std::optional<storage::Row>>* out) const override {
    for (const storage::RowKey& key : keys) partitions.insert(key.partition.bytes());
    return under_.MultiGet(keys, out);
  }
  storage::Status Scan(const storage::PartitionKey& partition, const storage::SortRange& range,
                       storage::Direction direction, size_t limit,
                       const storage::RowVisitor& visit) const override {
    partitions.insert(partition.bytes());
    ++scans[static_cast<storage::ThreadTag>(range.begin.bytes()[0])];
    return under_.Scan(partition, range, direction, limit, visit);
  }
  storage::Status ScanAll(std::optional<storage::TableTag> table,
                          const storage::FullVisitor& visit) const override {
    return under_.ScanAll(table, visit);
  }

  mutable std::map<storage::ThreadTag, int> scans;
  mutable std::set<std::string> partitions;
  mutable int tabs_got = 0;

 private:
  const storage::Reader& under_;
};

TEST(PanelReads, the_panel_is_one_scan_of_the_threads_partition) {
  FanoutScene scene;
  ASSERT_EQ(scene.Run(R"(buyer thread.create kind=project brief={"title":"x"};)"
                      R"(buyer tab.put tab=moodboard version=0 content={"pins":[]};)"
                      R"(buyer tab.put tab=shotlist version=0 content={"shots":[]};)"
                      R"(seller tab.put tab=files version=0 content={"proofs":[]};)"
                      R"(service tab.put tab=docs version=0 content={"envelopes":[]};)"
                      R"(service tab.put tab=expenses version=0 content={"lines":[]};)"
                      "buyer card.create type=RESCHEDULE"),
            "ok");
  const storage::Snapshot snapshot = scene.core.table->NewSnapshot();
  const CountingReader reader(*snapshot);
  const threads::CursorCodec cursors("secret");
  const Caller caller = threads::CallerFrom("seller");
  protocol::ThreadOpen::Args args;
  args.thread_id = scene.core.ThreadNamed("T");
  const auto opened = threads::OpenThread({reader, caller, cursors, scene.core.clock.Now()}, args);
  ASSERT_TRUE(opened.ok());
  EXPECT_EQ(opened->tabs.count, 7u) << "including the derived tab of open cards";
  EXPECT_EQ(reader.scans[storage::ThreadTag::kTab], 1);
  EXPECT_EQ(reader.tabs_got, 0);
  EXPECT_EQ(reader.partitions.size(), 2u)
      << "the thread, and the pair's reports, which limit the intents of the open card";
}

}  // namespace
}  // namespace parley::fanout
