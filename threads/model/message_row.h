// The rows of a message: its present state, and its states before each change. The rules at the end of rows.h
// apply. Include this header in sources only, unless a header holds such a row.
#pragma once

#include <optional>
#include <string>

#include "protocol/message_items.h"
#include "threads/model/rows.h"

namespace parley::threads {

// The content of a message that staff withheld and can restore.
struct Withheld {
  std::string body;
  protocol::List<protocol::Attachment, 20> attachments;
  static constexpr void Fields(auto& field) {
    field("body", &Withheld::body, "");
    field("attachments", &Withheld::attachments, "");
  }
};

struct MessageRow {
  protocol::Message item;
  int64_t born_seq = 0;
  struct Private {
    // The only user who sees it, apart from staff (see MaySee); left out: all who read the thread.
    protocol::Omit<UserId> only_for;
    protocol::Omit<int64_t> edits;      // number of changes of its body; null: none
    protocol::Omit<bool> flagged;       // true, or left out: staff see it as flagged
    protocol::Omit<Withheld> withheld;  // while it is blocked
    static constexpr void Fields(auto& field) {
      field("onlyFor", &Private::only_for, "");
      field("edits", &Private::edits, "");
      field("flagged", &Private::flagged, "");
      field("withheld", &Private::withheld, "");
    }
  } hidden;
};

// HIST#{messageId}#{seq}: the message before the change `seq`.
struct HistoryRow {
  protocol::Message before;
  std::optional<UserId> by;
  std::optional<protocol::Text<1000>> reason;
  std::optional<Time> at;  // null in rows from older releases
  static constexpr void Fields(auto& field) {
    using T = HistoryRow;
    field("before", &T::before, "");
    field("by", &T::by, "");
    field("reason", &T::reason, "");
    field("at", &T::at, "");
  }
};

}  // namespace parley::threads
