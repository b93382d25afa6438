// Ready sockets (gateway/net/ready_set.h): each event is reported once, to the current listener.
#include "gateway/net/ready_set.h"

#include <gtest/gtest.h>
#include <poll.h>
#include <sys/socket.h>

#include <functional>
#include <utility>
#include <vector>

namespace parley::gateway_test {
namespace {

using gateway::Descriptor;
using gateway::Pollable;
using gateway::Readiness;
using gateway::ReadySet;

struct SocketPair {
  SocketPair() {
    int ends[2];
    EXPECT_EQ(::socketpair(AF_UNIX, SOCK_STREAM | SOCK_NONBLOCK, 0, ends), 0);
    ours = Descriptor(ends[0]);
    theirs = Descriptor(ends[1]);
  }
  void Say() { EXPECT_EQ(::send(theirs.get(), "x", 1, 0), 1); }
  Descriptor ours, theirs;
};

class Listener final : public Pollable {
 public:
  void OnReadiness(Readiness readiness) override {
    reported.push_back(readiness);
    if (const auto call = std::exchange(then, nullptr)) call();
  }
  size_t Reads() const {
    size_t count = 0;
    for (const Readiness& one : reported) count += one.readable ? 1 : 0;
    return count;
  }
  std::vector<Readiness> reported;
  std::function<void()> then;
};

bool IsReadable(int descriptor) {
  pollfd one = {descriptor, POLLIN, 0};
  return ::poll(&one, 1, 0) == 1;
}

TEST(ReadySet, ReportsEachInputOnceAndItsEnd) {
  ReadySet set;
  SocketPair pair;
  Listener listener;
  ASSERT_TRUE(set.Add(pair.ours.get(), &listener));
  set.NotifyListeners();  // reports that it is writable
  EXPECT_EQ(listener.Reads(), 0u);
  EXPECT_FALSE(IsReadable(set.descriptor()));
  pair.Say();
  EXPECT_TRUE(IsReadable(set.descriptor())) << "the loop sleeps on it";
  set.NotifyListeners();
  set.NotifyListeners();
  EXPECT_EQ(listener.Reads(), 1u) << "nobody read, and nothing came";
  EXPECT_FALSE(listener.reported.back().ended);
  pair.Say();
  pair.theirs.Close();
  set.NotifyListeners();
  EXPECT_EQ(listener.Reads(), 2u);
  EXPECT_TRUE(listener.reported.back().ended);
}

TEST(ReadySet, ReportsPendingEventsToANewListener) {
  ReadySet set;
  SocketPair pair;
  Listener before, after;
  ASSERT_TRUE(set.Add(pair.ours.get(), &before));
  pair.Say();
  set.NotifyListeners();
  set.HandOver(pair.ours.get(), &before, &after);
  set.NotifyListeners();
  EXPECT_EQ(before.Reads(), 1u);
  EXPECT_EQ(after.Reads(), 1u);
}

TEST(ReadySet, DoesNotCallAListenerRemovedDuringTheSameRound) {
  ReadySet set;
  SocketPair pairs[3];
  Listener listeners[3];
  for (size_t i = 0; i < 3; ++i) {
    ASSERT_TRUE(set.Add(pairs[i].ours.get(), &listeners[i]));
    listeners[i].then = [&, i] {  // the first one removes its neighbour and replaces the other
      for (Listener& each : listeners) each.then = nullptr;
      set.Remove(pairs[(i + 1) % 3].ours.get(), &listeners[(i + 1) % 3]);
      set.HandOver(pairs[(i + 2) % 3].ours.get(), &listeners[(i + 2) % 3], &listeners[i]);
    };
  }
  set.NotifyListeners();
  set.NotifyListeners();
  size_t reported = 0;
  for (const Listener& each : listeners) reported += each.reported.empty() ? 0 : 1;
  EXPECT_EQ(reported, 1u);
}

TEST(ReadySet, RefusesDescriptorsThatCannotBeWatched) {
  ReadySet set;
  Listener listener;
  EXPECT_FALSE(set.Add(-1, &listener));
}

}  // namespace
}  // namespace parley::gateway_test
