// A fan-out whose rows a test can damage, as no command could, before it verifies the store.
#pragma once

#include <gtest/gtest.h>

#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "fanout/verify/verify.h"
#include "tests/fanout/fanout_scene.h"

namespace parley::fanout {

class VerifyScene : public testing::Test {
 protected:
  explicit VerifyScene(threads::CardPorts ports = 0) : scene({}, ports) {}

  // Returns the faults that verify finds.
  std::vector<std::string> Verify() {
    std::vector<std::string> out;
    report = {};
    const auto differs = [&](const std::string& what) { out.push_back(what); };
    EXPECT_TRUE(VerifyStore(*scene.core.table, scene.core.clock.Now(), {}, differs, &report).ok());
    return out;
  }
  // The same after all cursors were saved, so that nothing is pending.
  std::vector<std::string> VerifyAll() {
    scene.worker->SaveCursors();
    std::vector<std::string> out = Verify();
    EXPECT_EQ(report.pending, 0u);
    return out;
  }
  // Without a payload, removes the row.
  void Plant(const storage::PartitionKey& partition, const storage::SortKey& sort,
             std::optional<std::string> payload) {
    storage::DerivedWrite write{partition, sort, std::nullopt};
    if (payload) write.row = storage::Row{1, std::move(*payload)};
    storage::Position cursor = 0;
    ASSERT_TRUE(scene.core.table->ReadCursor("inbox", &cursor).ok());
    ASSERT_TRUE(scene.core.table->Apply({&write, 1}, "inbox", cursor).ok());
  }

  FanoutScene scene;
  VerifyReport report;  // the last Verify made it
};

}  // namespace parley::fanout
