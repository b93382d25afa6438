// GSI1: one inbox row per member of each thread, at the place of its newest message (seed TD-55.1).
#pragma once

#include <functional>

#include "fanout/keys.h"
#include "fanout/projection.h"
#include "protocol/base/clock.h"

namespace parley::fanout {

// An inbox row: what filters ask for in front, so that pages are cut without decoding, then the entry as it
// is sent.
//   varint flags | varint mutedUntil ms (0: none) | entry (MessagePack)
struct InboxRow {
  bool unread = false, pinned = false, project = false, request = false, open_cards = false;
  int64_t muted_until_ms = 0;
  std::string_view entry;
};
std::string EncodeInboxRow(const protocol::Entry& entry);
bool DecodeInboxRow(std::string_view payload, InboxRow* out);

class InboxProjection final : public Projection {
 public:
  // `wanted` tells whether a user's sessions would hear of an entry; asked on the worker's thread.
  InboxProjection(const protocol::Clock& clock, std::function<bool(const TenantId&, const UserId&)> wanted)
      : clock_(clock), wanted_(std::move(wanted)) {}
  std::string_view name() const override { return "inbox"; }
  protocol::Status Project(const storage::Reader& snapshot, const TenantId& tenant, const ThreadId& thread,
                           const Dirty& dirty, Projected* out) override;

 private:
  const protocol::Clock& clock_;
  const std::function<bool(const TenantId&, const UserId&)> wanted_;
};

}  // namespace parley::fanout
