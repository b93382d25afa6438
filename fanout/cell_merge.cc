#include "fanout/cell_merge.h"

#include <algorithm>
#include <deque>
#include <memory>

namespace parley::fanout {
namespace {

constexpr size_t kSmallestChunk = 3;

// One cell, read ahead by a chunk.
class Source {
 public:
  Source(const storage::Reader& reader, const storage::PartitionKey& inbox, const storage::SortKey& prefix,
         const std::string& after)
      : reader_(reader), inbox_(inbox), prefix_(prefix.bytes()) {
    range_ = storage::SortRange::Prefix(storage::SortKey(prefix_));
    if (!after.empty()) range_.begin = storage::SortKey(prefix_ + after + '\0');
  }

  // Sees to it that front() is there, unless the cell is at its end.
  protocol::Status Fill(size_t chunk) {
    if (!rows_.empty() || at_end_) return protocol::Ok();
    size_t read = 0;
    const auto status =
        reader_.Scan(inbox_, range_, storage::Direction::kForward, chunk,
                     [&](std::string_view sort, storage::RowView row) {
                       ++read;
                       rows_.push_back({std::string(sort.substr(prefix_.size())), std::string(row.payload)});
                       return true;
                     });
    if (!status.ok()) return threads::FromStorage(status);
    at_end_ = read < chunk;
    if (!rows_.empty()) range_.begin = storage::SortKey(prefix_ + rows_.back().place + '\0');
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
  const storage::Reader& reader_;
  const storage::PartitionKey& inbox_;
  const std::string prefix_;
  storage::SortRange range_;
  std::deque<MergedRow> rows_;
  bool at_end_ = false;
};

}  // namespace

threads::Result<std::vector<MergedRow>> MergeCells(const storage::Reader& reader,
                                                   const storage::PartitionKey& inbox,
                                                   const std::vector<Cell>& cells,
                                                   const std::optional<std::string>& label,
                                                   const std::string& after, size_t limit) {
  std::vector<MergedRow> out;
  std::vector<std::unique_ptr<Source>> sources;
  for (const Cell cell : cells)
    sources.push_back(std::make_unique<Source>(reader, inbox, CellPrefix(label, cell), after));
  while (out.size() < limit && !sources.empty()) {
    // What is still to come, shared out evenly: a lone cell is read in one go.
    const size_t share = (limit - out.size() + sources.size() - 1) / sources.size();
    const size_t chunk = sources.size() == 1 ? share : std::max(share, kSmallestChunk);
    for (const auto& source : sources) PARLEY_CHECK_OK(source->Fill(chunk));
    std::erase_if(sources, [](const auto& source) { return source->empty(); });
    if (sources.empty()) break;
    const auto newest = std::min_element(sources.begin(), sources.end(), [](const auto& a, const auto& b) {
      return a->front().place < b->front().place;
    });
    out.push_back((*newest)->Take());
  }
  return out;
}

}  // namespace parley::fanout
