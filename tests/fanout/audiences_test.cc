// Tests the cached audiences of threads: each is looked up once, updated on joins and leaves, and bounded in
// bytes.
#include "fanout/audiences.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <map>
#include <set>

#include "fanout/hub.h"

namespace parley::fanout {
namespace {

class Quiet final : public Subscriber {
 public:
  explicit Quiet(const std::string& user) : user_{user.c_str()} {}
  const TenantId& tenant() const override { return tenant_; }
  const UserId& user() const override { return user_; }
  void OnRun(LiveRun&) override {}
  void OnEntry(const EntryNotice&, SharedPayload&) override {}
  void OnNotice(SharedPayload&) override {}
  void OnEphemeral(const ThreadId&, SharedPayload&) override {}

 private:
  const TenantId tenant_{"demo"};
  const UserId user_;
};

class AudiencesTest : public testing::Test {
 protected:
  static std::string Name(size_t i) { return "usr_" + std::to_string(100'000 + i); }
  void Connect(const std::string& user) {
    sessions_.push_back(std::make_unique<Quiet>(user));
    online_[user].push_back(sessions_.back().get());
    audiences_.Outdate();
  }
  static threads::CommittedChange Change(uint8_t thread, threads::MembersPtr recipients) {
    threads::CommittedChange change;
    change.tenant = TenantId{"demo"};
    change.thread.ulid.bytes[15] = thread;
    change.recipients = std::move(recipients);
    return change;
  }
  std::multiset<std::string> Hear(const threads::CommittedChange& change) {
    std::multiset<std::string> out;
    for (const Subscriber* one : audiences_.Of(change)) out.insert(one->user().value);
    return out;
  }

  std::vector<std::unique_ptr<Quiet>> sessions_;
  std::map<std::string, std::vector<Subscriber*>> online_;
  size_t looked_up_ = 0;
  Audiences audiences_{[this](const TenantId&, const UserId& user) -> const std::vector<Subscriber*>* {
                         ++looked_up_;
                         const auto found = online_.find(user.value);
                         return found == online_.end() ? nullptr : &found->second;
                       },
                       size_t{4} << 20};
};

TEST_F(AudiencesTest, only_members_who_joined_or_left_are_looked_up) {
  std::vector<UserId> ids;
  for (size_t i = 0; i < 10'000; ++i) ids.push_back(UserId{Name(10 * i).c_str()});
  for (size_t i = 0; i < 100; ++i) Connect(Name(10 * i));
  Connect(Name(10));
  Connect(Name(15));
  const auto all = threads::Members::Of(std::move(ids));
  EXPECT_EQ(Hear(Change(1, all)).size(), 101u);
  EXPECT_EQ(looked_up_, 10'000u);

  const auto more = threads::With(all, UserId{Name(15).c_str()}),
             fewer = threads::Without(more, UserId{Name(10).c_str()});
  looked_up_ = 0;
  EXPECT_EQ(Hear(Change(1, more)).count(Name(15)), 1u);
  const auto received = Hear(Change(1, fewer));
  EXPECT_EQ(received.count(Name(10)), 0u) << "both sessions of the user";
  EXPECT_EQ(received.size(), 100u);
  EXPECT_EQ(Hear(Change(1, all)).size(), 101u) << "and back";
  EXPECT_LE(looked_up_, 4u);
}

TEST_F(AudiencesTest, an_added_or_removed_session_is_noticed) {
  const auto list = threads::Members::Of({UserId{"ann"}, UserId{"bob"}});
  Connect("ann");
  EXPECT_EQ(Hear(Change(1, list)), (std::multiset<std::string>{"ann"}));
  Connect("bob");
  EXPECT_EQ(Hear(Change(1, list)), (std::multiset<std::string>{"ann", "bob"}));
}

TEST_F(AudiencesTest, the_same_id_in_another_tenant_is_another_thread) {
  const auto list = threads::Members::Of({UserId{"ann"}});
  Connect("ann");
  Hear(Change(1, list));
  looked_up_ = 0;
  auto foreign = Change(1, list);
  foreign.tenant = TenantId{"acme"};
  Hear(foreign);
  EXPECT_EQ(looked_up_, 1u);
}

// Regression: memory grew from 13 MiB to 3 GiB in half a minute of joins and leaves.
TEST_F(AudiencesTest, joins_and_leaves_in_large_threads_stay_within_the_bound) {
  std::vector<UserId> ids;
  for (size_t i = 0; i < 10'000; ++i) ids.push_back(UserId{Name(10 * i).c_str()});
  auto list = threads::Members::Of(std::move(ids));
  for (size_t i = 0; i < 2000; ++i) {
    const UserId guest{Name(10 * i + 1).c_str()};
    list = threads::With(list, guest);
    Hear(Change(1, list));
    list = threads::Without(list, guest);
    Hear(Change(1, list));
    EXPECT_EQ(audiences_.size(), 1u) << "the earlier list is removed";
  }
  for (uint8_t thread = 2; thread < 100; ++thread) {
    Hear(Change(thread, list));
    EXPECT_LE(audiences_.bytes(), size_t{4} << 20);
  }
  EXPECT_GT(audiences_.size(), 3u);
  looked_up_ = 0;
  Hear(Change(99, list));
  EXPECT_EQ(looked_up_, 0u) << "the newest audiences stay";
}

}  // namespace
}  // namespace parley::fanout
