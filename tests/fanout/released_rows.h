// Rows as released versions wrote them: tests/fanout/released/VERSION/rows.txt, one file per release, never
// changed afterwards. Bytes in hexadecimal:
//
//   name NAME ID                          a thread's or message's name in the scene below
//   row PARTITION SORT VERSION PAYLOAD    a row of any table except the store's own
//   log ENTRY                             an entry of the change log, in order
//   cursor PROJECTION POSITION
//
// To add the rows of a release, run
//
//   PARLEY_RELEASE=0.2.0 fanout_test --gtest_also_run_disabled_tests --gtest_filter='*write_the_rows*'
#pragma once

#include <string>
#include <vector>

#include "tests/fanout/fanout_scene.h"

namespace parley::fanout {

struct ReleasedRow {
  storage::PartitionKey partition;
  storage::SortKey sort;
  storage::Row row;
};
struct ReleasedStore {
  std::vector<std::pair<std::string, std::string>> names;
  std::vector<ReleasedRow> rows;
  std::vector<std::string> log;
  std::vector<std::pair<std::string, storage::Position>> cursors;
};

std::vector<std::string> ReleasedVersions();
ReleasedStore ReadReleased(const std::string& version);

// Makes a tenant with every kind of row. REQUIRES: the ports booking and cases.
void PlayEveryKind(FanoutScene& scene);
std::string WriteReleased(FanoutScene& scene);
// Loads the rows into the scene's store and restarts it, an hour later.
void LoadReleased(const ReleasedStore& store, FanoutScene& scene);

}  // namespace parley::fanout
