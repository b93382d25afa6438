// The arguments of a message to all leg threads of an LBG.
#pragma once

#include "protocol/attachment.h"
#include "protocol/schema.h"

namespace parley::threads {

inline constexpr size_t kMaxBroadcastThreads = 50;  // the most leg threads of one broadcast

struct ThreadBroadcastArgs {
  protocol::LbgId lbg_id;
  protocol::ClientId client_id;
  protocol::Body body;
  std::optional<protocol::List<protocol::AttachmentRef, 10>> attachments;
  std::optional<protocol::Bounded<0, 2>> nsfw_band;
  static constexpr void Fields(auto& field) {
    using T = ThreadBroadcastArgs;
    field("lbgId", &T::lbg_id, "the linked booking group");
    field("clientId", &T::client_id, "makes a repeat return the first result, and complete it");
    field("body", &T::body, "markdown, at most maxBodyBytes");
    field("attachments", &T::attachments, "files shown with it");
    field("nsfwBand", &T::nsfw_band, "0 safe, 1 suggestive, 2 mature");
  }
};

}  // namespace parley::threads
