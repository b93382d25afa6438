// A moderator's sanctions on a user, and whether a project's booking is live.
#pragma once

#include "protocol/ops/base.h"
#include "protocol/states.h"

namespace parley::protocol {

// A user's strikes under the text policy in one thread.
struct LadderPlace {
  std::optional<ThreadId> thread_id;
  int64_t points = 0;
  int64_t finds = 0;
  Time at;
  std::optional<Time> rests_until, stopped_until;
  static constexpr void Fields(auto& field) {
    using T = LadderPlace;
    field("threadId", &T::thread_id, "where; null: in threads that they wanted to begin");
    field("points", &T::points, "the points that count now, rounded up");
    field("finds", &T::finds, "how many of their texts something was found in");
    field("at", &T::at, "when it was last");
    field("restsUntil", &T::rests_until, "until then they rest there; null: they do not");
    field("stoppedUntil", &T::stopped_until, "until then nothing of theirs is taken there; null: it is");
  }
};
inline constexpr size_t kStrikePlacesMax = 100;

// A user with their sanctions, as staff see them.
struct ModeratedUser {
  UserId user_id;
  UserState state = UserState::kOk;
  std::optional<Time> until;
  std::optional<std::string> reason;
  std::optional<UserId> by;
  std::optional<Time> at;
  List<LadderPlace, kStrikePlacesMax> ladder;
  static constexpr void Fields(auto& field) {
    using T = ModeratedUser;
    field("userId", &T::user_id, "who");
    field("state", &T::state, "the present state");
    field("until", &T::until, "when it ends; null: until staff end it");
    field("reason", &T::reason, "the reason that staff gave; null: there is no decision");
    field("by", &T::by, "the moderator");
    field("at", &T::at, "when");
    field("ladder", &T::ladder,
          "strikes under the text policy that count now, most points first; at most 100");
  }
};

struct ModerationUser {
  static constexpr std::string_view kName = "moderation.user";
  static constexpr OpKind kKind = OpKind::kWrite;
  static constexpr std::string_view kDoc =
      "staff: sets a user's sanction, or without a state returns it; not one's own";
  struct Args {
    UserId user_id;
    std::optional<UserState> state;
    std::optional<Time> until;
    std::optional<Text<1000>> reason;
    static constexpr void Fields(auto& field) {
      field("userId", &Args::user_id, "whom");
      field("state", &Args::state, "the new state; left out: only look");
      field("until", &Args::until, "when it ends by itself");
      field("reason", &Args::reason, "kept for audit; required with a state");
    }
  };
  struct Reply {
    ModeratedUser user;
    static constexpr void Fields(auto& field) { field("user", &Reply::user, "the present state"); }
  };
};

struct ThreadSetBooking {
  static constexpr std::string_view kName = "thread.setBooking";
  static constexpr OpKind kKind = OpKind::kWrite;
  static constexpr std::string_view kDoc =
      "service: whether the project's booking is live; while it is, blocks do not keep the two from talking";
  struct Args {
    ThreadId thread_id;
    BookingState state = BookingState::kLive;
    static constexpr void Fields(auto& field) {
      field("threadId", &Args::thread_id, "the project");
      field("state", &Args::state, "the booking's");
    }
  };
  using Reply = ThreadReply;
};

}  // namespace parley::protocol
