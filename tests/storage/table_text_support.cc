#include "tests/storage/table_text.h"

namespace parley::storage {
namespace {

void Join(std::string* out, std::string_view part, std::string_view separator = " ") {
  if (!out->empty()) *out += separator;
  *out += part;
}

std::string Failure(const Status& status) {
  return "error " + std::to_string(static_cast<int>(status.code)) + ": " + status.detail;
}

std::string ResultText(const CommitResult& result) {
  if (result.code == StatusCode::kOk)
    return result.position == 0 ? "ok" : "ok@" + std::to_string(result.position);
  if (!result.current) return "in the way: nothing";
  return "in the way: v" + std::to_string(result.current->version) + " " + result.current->payload;
}

}  // namespace

PartitionKey ThreadPartition(std::string_view tenant, uint8_t number) {
  protocol::Ulid id;
  id.bytes.back() = number;
  return PartitionKey::OfUlid({protocol::KeyText::UpToNul(tenant)}, TableTag::kThreads, id);
}
PartitionKey InboxPartition(std::string_view tenant, std::string_view user) {
  return PartitionKey::OfText({protocol::KeyText::UpToNul(tenant)}, TableTag::kInboxIndex,
                              protocol::KeyText::UpToNul(user));
}
SortKey Sort(std::string_view text) {
  return SortKey(std::string(text));
}

std::string ScanText(const Reader& reader, const PartitionKey& partition, const SortRange& range,
                     Direction direction, size_t limit) {
  std::string out;
  const Status status =
      reader.Scan(partition, range, direction, limit, [&](std::string_view sort, RowView row) {
        Join(&out, std::string(sort) + "=" + std::string(row.payload));
        return true;
      });
  return status.ok() ? out : Failure(status);
}

std::string GetText(const Reader& reader, const PartitionKey& partition, std::string_view sort) {
  std::optional<Row> row;
  const Status status = reader.Get(partition, Sort(sort), &row);
  if (!status.ok()) return Failure(status);
  return row ? row->payload : "-";
}

std::string LogText(const Table& table, Position after, size_t limit) {
  std::string out;
  const Status status = table.ReadLog(after, limit, [&](Position position, std::string_view entry) {
    Join(&out, std::to_string(position) + ":" + std::string(entry));
    return true;
  });
  return status.ok() ? out : Failure(status);
}

Position CursorOf(const Table& table, std::string_view projection) {
  Position out = 0;
  return table.ReadCursor(projection, &out).ok() ? out : ~Position{0};
}

RowWrite Set(std::string_view sort, std::string_view payload, uint64_t version) {
  return {Sort(sort), Row{version, std::string(payload)}};
}
RowWrite Delete(std::string_view sort) {
  return {Sort(sort), std::nullopt};
}
Precondition Absent(std::string_view sort) {
  return {Sort(sort), Precondition::Kind::kAbsent, 0};
}
Precondition Present(std::string_view sort) {
  return {Sort(sort), Precondition::Kind::kPresent, 0};
}
Precondition VersionIs(std::string_view sort, uint64_t version) {
  return {Sort(sort), Precondition::Kind::kVersionIs, version};
}

std::string CommitText(Table& table, const CommitRequest& request) {
  return CommitText(table, std::vector<CommitRequest>{request});
}
std::string CommitText(Table& table, const std::vector<CommitRequest>& requests) {
  std::vector<CommitResult> results;
  const Status status = table.Commit(requests, &results);
  if (!status.ok()) return Failure(status);
  std::string out;
  for (const CommitResult& result : results) Join(&out, ResultText(result), ", ");
  return out;
}

}  // namespace parley::storage
