// What members of a thread who were away equally long are told, encoded for the first of them and sent to
// all. When a server comes back, the members of a room come back together and have missed the same.
//
// An entry is right as long as the thread's head has the version that it had: whoever takes it has read the
// head and their own row. Bounded in number and bytes; all of it goes a second after the first of it came.
//
// Thread contract: the loop's thread.
#pragma once

#include <memory>
#include <string>
#include <unordered_map>

#include "fanout/hub.h"
#include "gateway/net/loop.h"
#include "gateway/net/transport.h"
#include "protocol/base/ids.h"
#include "protocol/base/metrics.h"

namespace parley::gateway {

class MissedPages {
 public:
  static constexpr size_t kMost = 256;
  static constexpr size_t kLargest = 32 * 1024;  // bytes of one
  static constexpr size_t kBytes = 1024 * 1024;  // of all
  static constexpr int64_t kKeptMs = 1000;

  MissedPages(Loop& loop, protocol::Metrics& metrics);

  // Who was told everything up to `held`, and how they read.
  struct Key {
    protocol::TenantId tenant;
    protocol::ThreadId thread;
    int64_t held;
    fanout::Form form;
  };
  struct Page {
    uint64_t head_version = 0;  // as of which it is
    int64_t through = 0;        // the thread's last seq then
    SharedFramePtr frames;
  };
  // nullptr: none.
  std::shared_ptr<const Page> Find(const Key& key) const;
  void Put(const Key& key, Page page);
  void CountShared() { shared_.Add(); }

 private:
  static std::string NameOf(const Key& key);
  void Clear();

  Loop& loop_;
  protocol::Counter shared_;
  std::unordered_map<std::string, std::shared_ptr<const Page>> pages_;
  size_t bytes_ = 0;
  std::unique_ptr<Timer> end_;  // of all that is held
};

}  // namespace parley::gateway
