// The rows of one thread as items of the messaging view, singly and in order of their sort keys.
#pragma once

#include <functional>

#include "fanout/view/view_keys.h"
#include "fanout/view/view_reader.h"
#include "storage/items/attribute.h"

namespace parley::fanout {

// Returns nullopt if the row does not exist or is hidden.
threads::Result<std::optional<storage::Item>> ReadThreadItem(const ViewReader& reader, const ThreadId& thread,
                                                             const std::string& sort);

// Receives each item; returning false stops.
struct ItemVisitor {
  std::function<bool(storage::Item item)> take;
  std::function<bool(storage::Item key)> pass_over;  // receives the key of a hidden row
};
protocol::Status VisitThreadItems(const ViewReader& reader, const ThreadId& thread, const TextRange& texts,
                                  bool forward, const ItemVisitor& visit);

}  // namespace parley::fanout
