// Reads several cells of an inbox as one list, newest first. Each cell is read in small chunks, and only as
// far as the page needs: a page costs about the rows it shows and a few for each cell.
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "fanout/keys.h"
#include "threads/row_reader.h"

namespace parley::fanout {

struct MergedRow {
  std::string place;  // kPlaceBytes, ordered as the list is
  std::string payload;
};

// At most `limit` rows that stand after `after` (a MergedRow::place; empty: from the top) in the list that
// the cells make, of the label's entries if one is given.
threads::Result<std::vector<MergedRow>> MergeCells(const storage::Reader& reader,
                                                   const storage::PartitionKey& inbox,
                                                   const std::vector<Cell>& cells,
                                                   const std::optional<std::string>& label,
                                                   const std::string& after, size_t limit);

}  // namespace parley::fanout
