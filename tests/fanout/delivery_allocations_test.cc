// Tests that the delivery of an event makes equally many allocations for any number of sessions, because the
// bytes are shared and the audience is cached.
#include <gtest/gtest.h>

#include <atomic>
#include <cstdlib>
#include <new>

#include "fanout/hub.h"

namespace {
std::atomic<size_t> g_allocations{0}, g_bytes{0};
}

// Not inlined, because a compiler that sees malloc here and delete elsewhere warns of a mismatch.
[[gnu::noinline]] void* operator new(size_t size) {
  ++g_allocations;
  g_bytes += size;
  if (void* at = std::malloc(size)) return at;
  throw std::bad_alloc();
}
[[gnu::noinline]] void* operator new(size_t size, const std::nothrow_t&) noexcept {
  ++g_allocations;
  return std::malloc(size);
}
[[gnu::noinline]] void operator delete(void* at) noexcept {
  std::free(at);
}
[[gnu::noinline]] void operator delete(void* at, size_t) noexcept {
  std::free(at);
}

namespace parley::fanout {
namespace {

// Stores the received frames in memory reserved before.
class Receiver final : public Subscriber {
 public:
  explicit Receiver(std::string user) : user_{user.c_str()} { frames_.reserve(16); }
  const TenantId& tenant() const override { return tenant_; }
  const UserId& user() const override { return user_; }
  void OnRun(LiveRun& run) override { frames_.push_back(run.joined.Frame(protocol::Encoding::kMsgpack)); }
  void OnEntry(const EntryNotice&, SharedPayload&) override {}
  void OnNotice(SharedPayload&) override {}
  void OnEphemeral(const ThreadId&, SharedPayload&) override {}
  size_t frames() const { return frames_.size(); }

 private:
  const TenantId tenant_{"demo"};
  const UserId user_;
  std::vector<FramePtr> frames_;
};

// Returns the allocations for one message to this many members, after the thread's first delivery.
size_t AllocationsFor(size_t members) {
  protocol::Metrics metrics;
  Hub hub(
      [](Payloads payloads, protocol::Encoding) -> FramePtr {
        return std::make_shared<const std::string>(payloads.front());
      },
      metrics);
  std::vector<std::unique_ptr<Receiver>> receivers;
  std::vector<UserId> list;
  for (size_t i = 0; i < members; ++i) {
    receivers.push_back(std::make_unique<Receiver>("user-with-a-long-name-" + std::to_string(10'000 + i)));
    list.push_back(receivers.back()->user());
    hub.Add(receivers.back().get());
  }
  auto change = std::make_shared<threads::CommittedChange>();
  change->tenant = TenantId{"demo"};
  change->recipients = threads::Members::Of(std::move(list));
  change->events.push_back({protocol::EventKind::kMessageCreated, 4, std::string(300, 'x'), {}});
  const std::vector<threads::CommittedChangePtr> changes = {change};
  hub.Deliver(changes);
  const size_t before = g_allocations;
  hub.Deliver(changes);
  const size_t made = g_allocations - before;
  for (const auto& receiver : receivers) {
    EXPECT_EQ(receiver->frames(), 2u);
    hub.Remove(receiver.get());
  }
  return made;
}

TEST(DeliveryAllocations, are_as_many_for_a_thousand_sessions_as_for_two) {
  const size_t for_two = AllocationsFor(2);
  EXPECT_GT(for_two, 0u) << "the event itself is encoded";
  EXPECT_EQ(AllocationsFor(1000), for_two);
}

// Each change of the members creates a list, which the loops' queues and the audiences may keep.
TEST(DeliveryAllocations, a_thousand_successive_lists_of_ten_thousand_share_all_but_a_few_kilobytes_each) {
  std::vector<UserId> ids;
  for (size_t i = 0; i < 10'000; ++i)
    ids.push_back(UserId{("usr_" + std::to_string(100'000 + 10 * i)).c_str()});
  std::vector<threads::MembersPtr> kept = {threads::Members::Of(std::move(ids))};
  kept.reserve(1001);
  const size_t before = g_bytes;
  for (size_t i = 0; i < 500; ++i) {
    const UserId guest{("usr_" + std::to_string(100'001 + 10 * i)).c_str()};
    kept.push_back(threads::With(kept.back(), guest));
    kept.push_back(threads::Without(kept.back(), guest));
  }
  EXPECT_EQ(kept.back()->size(), 10'000u);
  EXPECT_LT((g_bytes - before) / 1000, size_t{16} << 10) << "a whole list is more than 320 KiB";
}

TEST(DeliveryAllocations, the_audience_follows_joins_and_leaves) {
  protocol::Metrics metrics;
  Hub hub(
      [](Payloads payloads, protocol::Encoding) -> FramePtr {
        return std::make_shared<const std::string>(payloads.front());
      },
      metrics);
  Receiver ann("ann"), bob("bob"), phone("ann");
  auto change = std::make_shared<threads::CommittedChange>();
  change->tenant = TenantId{"demo"};
  change->recipients = threads::Members::Of({UserId{"ann"}, UserId{"bob"}});
  change->events.push_back({protocol::EventKind::kMessageCreated, 4, "x", {}});
  const std::vector<threads::CommittedChangePtr> changes = {change};
  hub.Add(&ann);
  hub.Deliver(changes);
  hub.Add(&bob);
  hub.Add(&phone);
  hub.Deliver(changes);
  hub.Remove(&ann);
  hub.Deliver(changes);
  EXPECT_EQ(ann.frames(), 2u);
  EXPECT_EQ(bob.frames(), 2u);
  EXPECT_EQ(phone.frames(), 2u);
  hub.Remove(&bob);
  hub.Remove(&phone);
}

}  // namespace
}  // namespace parley::fanout
