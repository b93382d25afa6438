#include "fanout/cell_merge.h"

#include <algorithm>
#include <deque>
#include <memory>

namespace parley::fanout {
namespace {

constexpr size_t kSmallestChunk = 3;

struct MergedRow {
  std::string place, payload;
};

// The rows of a cell at these places.
storage::SortRange RowsAt(const std::string& prefix, const storage::SortRange& places) {
  storage::SortRange range = storage::SortRange::Prefix(storage::SortKey(prefix));
  if (!places.begin.bytes().empty()) range.begin = storage::SortKey(prefix + places.begin.bytes());
  if (!places.end.bytes().empty()) range.end = storage::SortKey(prefix + places.end.bytes());
  return range;
}

// One cell, read ahead by a chunk.
class Source {
 public:
  Source(const storage::Reader& reader, const storage::PartitionKey& inbox, const storage::SortKey& prefix,
         const MergedPart& part)
      : reader_(reader),
        inbox_(inbox),
        prefix_(prefix.bytes()),
        direction_(part.direction),
        range_(RowsAt(prefix_, part.places)) {}

  // Makes front() available, unless the cell is at its end.
  protocol::Status Fill(size_t chunk) {
    if (!rows_.empty() || at_end_) return protocol::Ok();
    size_t read = 0;
    const auto status =
        reader_.Scan(inbox_, range_, direction_, chunk, [&](std::string_view sort, storage::RowView row) {
          ++read;
          rows_.push_back({std::string(sort.substr(prefix_.size())), std::string(row.payload)});
          return true;
        });
    if (!status.ok()) return threads::FromStorage(status);
    at_end_ = read < chunk;
    if (!rows_.empty()) GoOnBehind(prefix_ + rows_.back().place);
    return protocol::Ok();
  }
  bool empty() const { return rows_.empty(); }
  const MergedRow& front() const { return rows_.front(); }
  MergedRow Take() {
    MergedRow row = std::move(rows_.front());
    rows_.pop_front();
    return row;
  }

 private:
  void GoOnBehind(std::string sort) {
    if (direction_ == storage::Direction::kReverse)
      range_.end = storage::SortKey(std::move(sort));
    else
      range_.begin = storage::SortKey(std::move(sort) + '\0');
  }

  const storage::Reader& reader_;
  const storage::PartitionKey& inbox_;
  const std::string prefix_;
  const storage::Direction direction_;
  storage::SortRange range_;
  std::deque<MergedRow> rows_;
  bool at_end_ = false;
};

// The common case: nothing to merge, nothing to copy.
protocol::Status VisitOne(const storage::Reader& reader, const storage::PartitionKey& inbox,
                          const storage::SortKey& prefix, const MergedPart& part, size_t limit,
                          const MergedVisitor& visit) {
  const std::string bytes(prefix.bytes());
  const auto status = reader.Scan(inbox, RowsAt(bytes, part.places), part.direction, limit,
                                  [&](std::string_view sort, storage::RowView row) {
                                    return visit(sort.substr(bytes.size()), row.payload);
                                  });
  return status.ok() ? protocol::Ok() : threads::FromStorage(status);
}

}  // namespace

protocol::Status MergeCells(const storage::Reader& reader, const storage::PartitionKey& inbox,
                            const std::vector<Cell>& cells, const std::optional<protocol::KeyText>& label,
                            const MergedPart& part, size_t limit, const MergedVisitor& visit) {
  if (cells.size() == 1) return VisitOne(reader, inbox, CellPrefix(label, cells[0]), part, limit, visit);
  const bool reverse = part.direction == storage::Direction::kReverse;
  std::vector<std::unique_ptr<Source>> sources;
  sources.reserve(cells.size());
  for (const Cell cell : cells)
    sources.push_back(std::make_unique<Source>(reader, inbox, CellPrefix(label, cell), part));
  for (size_t left = limit; left > 0; --left) {
    // The rest of the page, shared out evenly: a lone cell is read in one go.
    const size_t share = sources.empty() ? 0 : (left + sources.size() - 1) / sources.size();
    const size_t chunk = sources.size() == 1 ? share : std::max(share, kSmallestChunk);
    for (const auto& source : sources) PARLEY_CHECK_OK(source->Fill(chunk));
    std::erase_if(sources, [](const auto& source) { return source->empty(); });
    if (sources.empty()) break;
    const auto next = std::min_element(sources.begin(), sources.end(), [&](const auto& a, const auto& b) {
      return reverse ? b->front().place < a->front().place : a->front().place < b->front().place;
    });
    const MergedRow row = (*next)->Take();
    if (!visit(row.place, row.payload)) break;
  }
  return protocol::Ok();
}

}  // namespace parley::fanout
