// The op by which staff decide about a file.
#pragma once

#include "protocol/attachment.h"
#include "protocol/ops/base.h"
#include "protocol/ops/list.h"

namespace parley::features {

struct ModerationFile {
  static constexpr std::string_view kName = "moderation.file";
  static constexpr protocol::OpKind kKind = protocol::OpKind::kWrite;
  static constexpr std::string_view kDoc =
      "staff: releases a file, puts it into quarantine, or judges its band; recorded in the audit";
  struct Args {
    protocol::AttachmentId attachment_id;
    std::optional<protocol::FileState> state;
    std::optional<protocol::Bounded<0, 2>> nsfw_band;
    protocol::Text<1000> reason;
    static constexpr void Fields(auto& field) {
      field("attachmentId", &Args::attachment_id, "the upload");
      field("state", &Args::state, "ready or quarantined; unchanged if not given");
      field("nsfwBand", &Args::nsfw_band, "0 safe, 1 suggestive, 2 mature; unchanged if not given");
      field("reason", &Args::reason, "kept for audit");
    }
  };
  using Reply = protocol::AttachmentReply;
};

using FileOps = protocol::OpList<ModerationFile>;

}  // namespace parley::features
