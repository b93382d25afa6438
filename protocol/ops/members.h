// Ops on the participants of a thread.
#pragma once

#include "protocol/ops/base.h"

namespace parley::protocol {

struct ParticipantReply {
  EncodedOf<Participant> participant;
  Omit<MessageRequest> request;
  static constexpr void Fields(auto& field) {
    field("participant", &ParticipantReply::participant, "the participant");
    field("request", &ParticipantReply::request,
          "the request to a stranger; until they accept, they are no member and `removedAt` is set");
  }
};

struct ParticipantArgs {
  ThreadId thread_id;
  UserId user_id;
  std::optional<RoleContext> role_context;
  std::optional<Permission> permission;
  static constexpr void Fields(auto& field) {
    using T = ParticipantArgs;
    field("threadId", &T::thread_id, "the thread");
    field("userId", &T::user_id, "the user to add or change");
    field("roleContext", &T::role_context, "the role; direct threads and groups have only members");
    field("permission", &T::permission, "the level of permission");
  }
};

struct ParticipantAdd {
  static constexpr std::string_view kName = "participant.add";
  static constexpr OpKind kKind = OpKind::kWrite;
  static constexpr std::string_view kDoc =
      "owners, services and staff: adds a member, if they are not one already; not in direct threads";
  using Args = ParticipantArgs;
  using Reply = ParticipantReply;
};

struct ParticipantRemove {
  static constexpr std::string_view kName = "participant.remove";
  static constexpr OpKind kKind = OpKind::kWrite;
  static constexpr std::string_view kDoc =
      "owners, services and staff: removes a member; members may remove themselves, except from a direct "
      "thread. When the last owner of a group leaves, its longest-standing member becomes owner";
  struct Args {
    ThreadId thread_id;
    UserId user_id;
    static constexpr void Fields(auto& field) {
      field("threadId", &Args::thread_id, "the thread");
      field("userId", &Args::user_id, "the member to remove");
    }
  };
  using Reply = ParticipantReply;
};

struct ParticipantUpdate {
  static constexpr std::string_view kName = "participant.update";
  static constexpr OpKind kKind = OpKind::kWrite;
  static constexpr std::string_view kDoc = "owners, services and staff: changes role or permission";
  using Args = ParticipantArgs;
  using Reply = ParticipantReply;
};

struct ParticipantList {
  static constexpr std::string_view kName = "participant.list";
  static constexpr OpKind kKind = OpKind::kRead;
  static constexpr std::string_view kDoc = "members in order of userId";
  struct Args {
    ThreadId thread_id;
    std::optional<std::string> cursor;
    std::optional<PageLimit> limit;
    static constexpr void Fields(auto& field) {
      field("threadId", &Args::thread_id, "the thread");
      field("cursor", &Args::cursor, "continue from here");
      field("limit", &Args::limit, "50 if not given");
    }
  };
  struct Reply {
    EncodedListOf<Participant> participants;
    std::optional<std::string> cursor;
    static constexpr void Fields(auto& field) {
      field("participants", &Reply::participants, "in order of userId");
      field("cursor", &Reply::cursor, "null at the end");
    }
  };
};

}  // namespace parley::protocol
