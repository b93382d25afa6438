#include "threads/judge/judge_rows.h"

#include "protocol/base/unreadable.h"

namespace parley::threads {
namespace {

using storage::KeyReader;
using storage::KeyWriter;

}  // namespace

storage::SortKey StrikesKey(const ThreadId& thread) {
  return KeyWriter().Tag(storage::UserTag::kLadder).Id(thread.ulid).Sort();
}
storage::SortRange StrikesOfThreads() {
  return storage::SortRange::Prefix(KeyWriter().Tag(storage::UserTag::kLadder).Sort());
}
bool ParseStrikesKey(std::string_view sort, ThreadId* thread) {
  KeyReader reader(sort);
  return reader.Tag(storage::UserTag::kLadder) && reader.Id(&thread->ulid) && reader.AtEnd();
}

storage::SortKey OriginalKey(const MessageId& message, int64_t seq) {
  return KeyWriter()
      .Tag(storage::ThreadTag::kOriginal)
      .Id(message.ulid)
      .Number(static_cast<uint64_t>(seq))
      .Sort();
}
storage::SortRange OriginalsOf(const MessageId& message) {
  return storage::SortRange::Prefix(KeyWriter().Tag(storage::ThreadTag::kOriginal).Id(message.ulid).Sort());
}
bool ParseOriginalKey(std::string_view sort, MessageId* message, int64_t* seq) {
  KeyReader reader(sort);
  uint64_t n = 0;
  if (!reader.Tag(storage::ThreadTag::kOriginal) || !reader.Id(&message->ulid) || !reader.Number(&n) ||
      !reader.AtEnd())
    return false;
  *seq = static_cast<int64_t>(n);
  return true;
}
std::string OriginalPlace(const TenantId& tenant, const ThreadId& thread, const storage::SortKey& sort) {
  return ThreadPartition(tenant, thread).bytes() + sort.bytes();
}

std::string EncodeStrikes(const StrikesRow& row) {
  return protocol::Encode(row);
}
bool DecodeStrikes(std::string_view payload, StrikesRow* out) {
  return DecodeStored(payload, out);
}

Result<std::optional<StrikesRow>> ReadStrikes(const RowReader& rows, const UserId& user,
                                              const ThreadId& thread) {
  std::optional<storage::Row> stored;
  const auto status = rows.raw().Get(UserPartition(rows.tenant(), user), StrikesKey(thread), &stored);
  if (!status.ok()) return FromStorage(status);
  if (!stored) return std::optional<StrikesRow>();
  StrikesRow row;
  if (!DecodeStrikes(stored->payload, &row)) return protocol::UnreadableStored();
  return std::optional(std::move(row));
}

Result<std::vector<std::pair<ThreadId, StrikesRow>>> ReadStrikesOfUser(const RowReader& rows,
                                                                       const UserId& user) {
  std::vector<std::pair<ThreadId, StrikesRow>> out;
  bool sound = true;
  const auto status =
      rows.raw().Scan(UserPartition(rows.tenant(), user), StrikesOfThreads(), storage::Direction::kForward,
                      kStrikesMost, [&](std::string_view sort, storage::RowView row) {
                        auto& [thread, strikes] = out.emplace_back();
                        sound = ParseStrikesKey(sort, &thread) && DecodeStrikes(row.payload, &strikes);
                        return sound;
                      });
  if (!status.ok()) return FromStorage(status);
  if (!sound) return protocol::UnreadableStored();
  return out;
}

}  // namespace parley::threads
