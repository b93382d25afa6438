// Several executors commit through one committer: together, in order, each with its own result.
#include "storage/committer.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <future>
#include <thread>
#include <utility>

#include "tests/threads/watched_table.h"
#include "threads/model/keys.h"

namespace parley::threads {
namespace {

using testing::ElementsAre;

storage::CommitRequest Request(uint8_t thread, storage::Precondition::Kind kind) {
  protocol::Ulid id;
  id.bytes[15] = thread;
  storage::CommitRequest request;
  request.partition = ThreadPartition(TenantId{"demo"}, ThreadId{id});
  request.preconditions.push_back({LogKey(1), kind, 0});
  request.writes.push_back({LogKey(1), storage::Row{1, "x"}});
  request.log_entry = "entry";
  return request;
}

class CommitterTest : public testing::Test {
 protected:
  using Kind = storage::Precondition::Kind;
  // Commits one request and records its thread and its position or refusal.
  void Commit(uint8_t thread, Kind kind = Kind::kAbsent) {
    storage::Committer::Requests requests;
    requests.push_back(Request(thread, kind));
    committer_.Commit(std::move(requests), [&](const storage::Status& status, auto results) {
      if (!status.ok()) {
        reported_.push_back(std::to_string(thread) + " failed");
      } else if (results.size() != 1 || results[0].code != storage::StatusCode::kOk) {
        reported_.push_back(std::to_string(thread) + " refused");
      } else {
        reported_.push_back(std::to_string(thread) + " at " + std::to_string(results[0].position));
      }
    });
  }
  // Commits the first while the others wait in line.
  void CommitTogether(const std::vector<std::function<void()>>& others) {
    std::promise<void> begun, go;
    watched_.before_commit = [&, first = true]() mutable {
      if (!std::exchange(first, false)) return;
      begun.set_value();
      go.get_future().wait();
    };
    std::vector<std::thread> threads;
    threads.emplace_back([&] { Commit(1); });
    begun.get_future().wait();
    for (size_t i = 0; i < others.size(); ++i) {
      threads.emplace_back(others[i]);
      while (committer_.waiting() <= i) std::this_thread::yield();
    }
    go.set_value();
    for (std::thread& thread : threads) thread.join();
  }

  std::unique_ptr<storage::MemoryTable> table_ = storage::NewMemoryTable();
  WatchedTable watched_{*table_};
  storage::Committer committer_{watched_};
  std::vector<std::string> reported_;  // never written concurrently
};

TEST_F(CommitterTest, a_single_request_commits_at_once) {
  Commit(1);
  Commit(2);
  EXPECT_THAT(reported_, ElementsAre("1 at 1", "2 at 2"));
  EXPECT_EQ(watched_.commits, 2);
}

TEST_F(CommitterTest, waiting_requests_commit_together_in_order_of_arrival) {
  CommitTogether({[this] { Commit(4); }, [this] { Commit(2); }, [this] { Commit(3); }});
  EXPECT_THAT(reported_, ElementsAre("1 at 1", "4 at 2", "2 at 3", "3 at 4"));
  EXPECT_EQ(watched_.commits, 2) << "one sync for the three that waited";
}

TEST_F(CommitterTest, a_failed_condition_is_reported_only_to_its_request) {
  CommitTogether({[this] { Commit(2); }, [this] { Commit(3, Kind::kPresent); }, [this] { Commit(4); }});
  EXPECT_THAT(reported_, ElementsAre("1 at 1", "2 at 2", "3 refused", "4 at 3"));
}

TEST_F(CommitterTest, a_failed_write_is_reported_to_all_its_requests) {
  watched_.after_commit = [this] { table_->InjectFault(storage::MemoryFault::kCommitFails); };
  CommitTogether({[this] { Commit(2); }, [this] { Commit(3); }});
  EXPECT_THAT(reported_, ElementsAre("1 at 1", "2 failed", "3 failed"));
}

}  // namespace
}  // namespace parley::threads
