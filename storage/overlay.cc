#include "storage/overlay.h"

#include <functional>
#include <iterator>

namespace parley::storage {

void Overlay::Put(const PartitionKey& partition, std::span<const RowWrite> writes) {
  unlaid_.push_back({std::string(partition.bytes()), writes});
}

const Overlay::Partition* Overlay::Find(const PartitionKey& partition) const {
  for (Unlaid& one : unlaid_) {
    Partition& rows = rows_[std::move(one.partition)];
    for (const RowWrite& write : one.writes) rows[write.sort.bytes()] = &write.row;
  }
  unlaid_.clear();
  const auto found = rows_.find(partition.bytes());
  return found == rows_.end() ? nullptr : &found->second;
}

Status Overlay::Get(const PartitionKey& partition, const SortKey& sort, std::optional<Row>* out) const {
  if (const Partition* rows = Find(partition)) {
    if (const auto row = rows->find(sort.bytes()); row != rows->end()) {
      *out = *row->second;
      return {};
    }
  }
  return under_.Get(partition, sort, out);
}

Status Overlay::MultiGet(std::span<const RowKey> keys, std::vector<std::optional<Row>>* out) const {
  out->clear();
  out->resize(keys.size());
  for (size_t i = 0; i < keys.size(); ++i) {
    Status status = Get(keys[i].partition, keys[i].sort, &(*out)[i]);
    if (!status.ok()) return status;
  }
  return {};
}

namespace {

// Walks the batch's rows in step with storage's, in either direction. Copies nothing, and reads nothing
// beyond the rows that the visitor takes.
template <class At, class Before>
class Merge {
 public:
  Merge(At at, At end, Before before, size_t limit, const RowVisitor& visit)
      : at_(at), end_(end), before_(before), left_(limit), visit_(visit) {}

  bool OnStored(std::string_view sort, RowView row) {
    while (at_ != end_ && before_(at_->first, sort)) {
      if (!GiveOwn()) return false;
    }
    if (at_ != end_ && at_->first == sort) return GiveOwn();
    return Give(sort, row);
  }
  void Finish() {
    while (!stopped_ && at_ != end_) GiveOwn();
  }

 private:
  bool Give(std::string_view sort, RowView row) {
    stopped_ = !visit_(sort, row) || --left_ == 0;
    return !stopped_;
  }
  bool GiveOwn() {
    const auto& [sort, row] = *at_++;
    return !*row || Give(sort, {(*row)->version, (*row)->payload});
  }

  At at_;
  const At end_;
  const Before before_;
  size_t left_;
  const RowVisitor& visit_;
  bool stopped_ = false;
};

}  // namespace

Status Overlay::Scan(const PartitionKey& partition, const SortRange& range, Direction direction, size_t limit,
                     const RowVisitor& visit) const {
  const Partition* found = Find(partition);
  if (!found || limit == 0) return under_.Scan(partition, range, direction, limit, visit);
  const Partition& rows = *found;
  const auto begin = rows.lower_bound(range.begin.bytes());
  const auto end = range.end.bytes().empty() ? rows.end() : rows.lower_bound(range.end.bytes());
  // Each row of the batch hides at most one of storage's.
  const size_t most = limit > SIZE_MAX - rows.size() ? SIZE_MAX : limit + rows.size();
  const auto walk = [&](auto merge) {
    Status status = under_.Scan(partition, range, direction, most, [&](std::string_view sort, RowView row) {
      return merge.OnStored(sort, row);
    });
    if (status.ok()) merge.Finish();
    return status;
  };
  if (direction == Direction::kForward) return walk(Merge(begin, end, std::less<>(), limit, visit));
  return walk(Merge(std::make_reverse_iterator(end), std::make_reverse_iterator(begin), std::greater<>(),
                    limit, visit));
}

Status Overlay::ScanAll(std::optional<TableTag> table, const FullVisitor& visit) const {
  return under_.ScanAll(table, visit);  // verification reads durable rows only
}

}  // namespace parley::storage
