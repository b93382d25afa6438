// Reads several cells of an inbox as one list, newest first. Each cell is read in small chunks, and only as
// far as the page needs: a page costs about the rows that it shows and a few for each cell.
#pragma once

#include <functional>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "fanout/keys.h"
#include "threads/model/row_reader.h"

namespace parley::fanout {

// `place` has kPlaceBytes bytes and orders as the list does; both arguments are valid during the call.
// Returning false stops.
using MergedVisitor = std::function<bool(std::string_view place, std::string_view payload)>;

// A part of the list, and the end at which to begin.
struct MergedPart {
  storage::SortRange places = {};
  storage::Direction direction = storage::Direction::kForward;  // newest first
};

// Visits at most `limit` rows of that part of the merged list; only the label's entries if a label is given.
protocol::Status MergeCells(const storage::Reader& reader, const storage::PartitionKey& inbox,
                            const std::vector<Cell>& cells, const std::optional<protocol::KeyText>& label,
                            const MergedPart& part, size_t limit, const MergedVisitor& visit);
// Newest first, after `after` (a place; empty: from the top).
inline protocol::Status MergeCells(const storage::Reader& reader, const storage::PartitionKey& inbox,
                                   const std::vector<Cell>& cells,
                                   const std::optional<protocol::KeyText>& label, const std::string& after,
                                   size_t limit, const MergedVisitor& visit) {
  MergedPart part;
  if (!after.empty()) part.places.begin = storage::SortKey(after + '\0');
  return MergeCells(reader, inbox, cells, label, part, limit, visit);
}

}  // namespace parley::fanout
