// The rows of one thread as items of the messaging view, singly and in order of their sort keys.
#pragma once

#include <functional>

#include "fanout/view/view_keys.h"
#include "fanout/view/view_reader.h"
#include "storage/items/attribute.h"

namespace parley::fanout {

// nullopt: there is none, or it is not shown.
threads::Result<std::optional<storage::Item>> ReadThreadItem(const ViewReader& reader, const ThreadId& thread,
                                                             const std::string& sort);

// Takes one item; false stops.
struct ItemVisitor {
  std::function<bool(storage::Item item)> take;
  std::function<bool(storage::Item key)> pass_over;  // of a row that is not shown
};
protocol::Status VisitThreadItems(const ViewReader& reader, const ThreadId& thread, const TextRange& texts,
                                  bool forward, const ItemVisitor& visit);

}  // namespace parley::fanout
