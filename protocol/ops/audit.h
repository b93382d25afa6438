// moderation.audit: the tenant's audit chain.
#pragma once

#include "protocol/audit.h"
#include "protocol/ops/base.h"

namespace parley::protocol {

struct ModerationAudit {
  static constexpr std::string_view kName = "moderation.audit";
  static constexpr OpKind kKind = OpKind::kRead;
  static constexpr std::string_view kDoc =
      "staff: every act and look of staff in the tenant, as entries of a chain of hashes; this op is on "
      "record "
      "as a look, once for all pages of a query";
  struct Args {
    std::optional<ThreadId> thread_id;
    std::optional<UserId> actor;
    std::optional<UserId> user_id;
    std::optional<Text<kAuditNameBytes>> case_id;
    std::optional<Time> from;
    std::optional<Time> to;
    std::optional<std::string> cursor;
    std::optional<PageLimit> limit;
    static constexpr void Fields(auto& field) {
      field("threadId", &Args::thread_id,
            "only entries about this thread; staff bound to cases must name one");
      field("actor", &Args::actor, "only acts of this user");
      field("userId", &Args::user_id, "only entries about this user");
      field("caseId", &Args::case_id, "only entries about this case");
      field("from", &Args::from, "only entries of this time or later");
      field("to", &Args::to, "only entries before this time");
      field("cursor", &Args::cursor, "continue from here");
      field("limit", &Args::limit, "50 if not given");
    }
  };
  struct Reply {
    EncodedListOf<ChainEntry> entries;
    std::optional<std::string> cursor;
    static constexpr void Fields(auto& field) {
      field("entries", &Reply::entries, "newest first; may be fewer than asked for, even none");
      field("cursor", &Reply::cursor, "null at the end");
    }
  };
};

}  // namespace parley::protocol
