// Shares the encoded pages of catch-up between members who missed the same changes: when a server restarts,
// the members of a room return together and have missed the same.
//
// An entry is valid as long as the thread's head has the same version; a session that uses one has read the
// head and its own row. Bounded in number and bytes; all entries are dropped a second after the first was
// added.
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
  static constexpr size_t kLargest = 32 * 1024;  // bytes of one entry
  static constexpr size_t kBytes = 1024 * 1024;  // bytes of all entries
  static constexpr int64_t kKeptMs = 1000;

  MissedPages(Loop& loop, protocol::Metrics& metrics);

  // The thread, the last seq that the member held, and the form that they read.
  struct Key {
    protocol::TenantId tenant;
    protocol::ThreadId thread;
    int64_t held;
    fanout::Form form;
  };
  struct Page {
    uint64_t head_version = 0;  // the version of the head when it was read
    int64_t through = 0;        // the thread's last seq then
    SharedFramePtr frames;
  };
  // Returns nullptr if the page is not cached.
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
  std::unique_ptr<Timer> end_;  // drops all entries
};

}  // namespace parley::gateway
