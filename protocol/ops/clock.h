// The op that records when the parties of a thread meet.
#pragma once

#include "protocol/ops/base.h"

namespace parley::protocol {

struct ThreadSchedule {
  static constexpr std::string_view kName = "thread.schedule";
  static constexpr OpKind kKind = OpKind::kWrite;
  static constexpr std::string_view kDoc =
      "service or staff: says when the parties meet; a first meeting gets its safety tip a day before";
  struct Args {
    ThreadId thread_id;
    Clearable<Time> meeting_at;
    std::optional<bool> first_meeting;
    static constexpr void Fields(auto& field) {
      field("threadId", &Args::thread_id, "the thread");
      field("meetingAt", &Args::meeting_at, "time of the meeting; null: cancels it");
      field(
          "firstMeeting", &Args::first_meeting,
          "true: they have not met before; if not given, the server decides by the meetings that it knows; a "
          "pair that it knows to have met never gets a tip");
    }
  };
  using Reply = ThreadReply;
};

}  // namespace parley::protocol
