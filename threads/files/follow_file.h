// Keeps the copies of an upload in its message, its cards and its tabs in step with its row, so that the
// members' clients follow.
//
// Thread contract: the executor's thread.
#pragma once

#include <optional>
#include <vector>

#include "threads/model/caller.h"
#include "threads/model/decision.h"
#include "threads/model/file_row.h"
#include "threads/model/message_row.h"

namespace parley::threads {

// The rows that show an upload.
struct ShowingCard {
  CardRow card;
  MessageRow message;
};
struct Showing {
  std::optional<MessageRow> message;
  std::vector<ShowingCard> cards;
  std::vector<TabRow> tabs;
};
Result<Showing> ReadShowing(const RowReader& rows, const ThreadId& thread, const FileRow& file);

// Writes those whose copy differs. Versions stay: they count what people do. `staff`: who moved the upload.
void Follow(const FileRow& file, const Showing& showing, const std::optional<Caller>& staff, Draft* draft);

}  // namespace parley::threads
