#include "threads/model/uncounted.h"

#include <algorithm>
#include <bit>
#include <map>

#include "protocol/base/varint.h"
#include "threads/model/decision.h"
#include "threads/model/row_reader.h"

namespace parley::threads {
namespace {

constexpr int64_t kByteBits = 8;

int64_t BitsIn(char byte) {
  return std::popcount(static_cast<uint8_t>(byte));
}

Result<DeletedBlock> ReadBlock(const RowReader& rows, const ThreadId& thread, int64_t number) {
  std::optional<storage::Row> row;
  const auto status = rows.raw().Get(ThreadPartition(rows.tenant(), thread), DeletedBlockKey(number), &row);
  if (!status.ok()) return FromStorage(status);
  DeletedBlock block;
  if (row && !DecodeDeletedBlock(row->payload, &block))
    return Error(ErrorCode::kInternal, "stored data cannot be read");
  return block;
}

// Reads each block once, changes it, and writes it.
class Blocks {
 public:
  Blocks(const RowReader& rows, const ThreadId& thread) : rows_(rows), thread_(thread) {}
  protocol::Status Add(int64_t msg_no) {
    const int64_t number = msg_no / kBlockMessages;
    auto at = blocks_.find(number);
    if (at == blocks_.end()) {
      PARLEY_TRY(block, ReadBlock(rows_, thread_, number));
      at = blocks_.emplace(number, std::move(block)).first;
    }
    at->second.Add(msg_no % kBlockMessages);
    return protocol::Ok();
  }
  void WriteTo(std::vector<storage::RowWrite>* writes) const {
    for (const auto& [number, block] : blocks_)
      writes->push_back({DeletedBlockKey(number), storage::Row{1, EncodeDeletedBlock(block)}});
  }

 private:
  const RowReader& rows_;
  const ThreadId& thread_;
  std::map<int64_t, DeletedBlock> blocks_;
};

}  // namespace

bool DeletedBlock::Holds(int64_t place) const {
  const auto byte = static_cast<size_t>(place / kByteBits);
  return byte < bits.size() && (static_cast<uint8_t>(bits[byte]) >> (place % kByteBits)) & 1;
}

void DeletedBlock::Add(int64_t place) {
  if (Holds(place)) return;
  const auto byte = static_cast<size_t>(place / kByteBits);
  if (bits.size() <= byte) bits.resize(byte + 1);
  bits[byte] = static_cast<char>(static_cast<uint8_t>(bits[byte]) | (1u << (place % kByteBits)));
  ++count;
}

int64_t DeletedBlock::CountAbove(int64_t place) const {
  int64_t out = 0;
  const int64_t first = place + 1;
  const auto byte = static_cast<size_t>(first / kByteBits);
  for (size_t i = byte; i < bits.size(); ++i) out += BitsIn(bits[i]);
  // Subtracts the bits of the first byte that are not above.
  for (int64_t at = static_cast<int64_t>(byte) * kByteBits; at < first; ++at) out -= Holds(at);
  return out;
}

std::string EncodeDeletedBlock(const DeletedBlock& block) {
  std::string out;
  protocol::AppendVarint(&out, static_cast<uint64_t>(block.count));
  return out + block.bits;
}

bool DecodeDeletedBlock(std::string_view payload, DeletedBlock* out) {
  uint64_t count;
  if (!protocol::TakeVarint(&payload, &count)) return false;
  int64_t bits = 0;
  for (const char byte : payload) bits += BitsIn(byte);
  if (payload.size() > kBlockMessages / kByteBits || static_cast<int64_t>(count) != bits) return false;
  if (!payload.empty() && payload.back() == 0) return false;
  out->count = bits;
  out->bits.assign(payload);
  return true;
}

void Uncounted::AddBlock(int64_t number, DeletedBlock block) {
  const int64_t before = blocks_.empty() ? 0 : blocks_.back().through;
  blocks_.push_back({number, before + block.count, std::move(block)});
}

int64_t Uncounted::Above(int64_t msg_no) const {
  int64_t out = rows_.end() - std::upper_bound(rows_.begin(), rows_.end(), msg_no);
  const int64_t number = msg_no / kBlockMessages;
  const auto next = std::upper_bound(blocks_.begin(), blocks_.end(), number,
                                     [](int64_t at, const Block& block) { return at < block.number; });
  if (!blocks_.empty()) out += blocks_.back().through;
  if (next == blocks_.begin()) return out;
  const Block& block = *(next - 1);
  out -= block.through;
  return block.number == number ? out + block.bits.CountAbove(msg_no % kBlockMessages) : out;
}

protocol::Status WriteUncounted(const RowReader& rows, const ThreadId& thread, Decision* decision) {
  if (decision->uncounted.empty()) return protocol::Ok();
  Blocks blocks(rows, thread);
  for (const int64_t msg_no : decision->uncounted) PARLEY_CHECK_OK(blocks.Add(msg_no));
  blocks.WriteTo(&decision->writes);
  return protocol::Ok();
}

Result<FoldSlice> FoldDeleted(const RowReader& rows, const ThreadId& thread) {
  FoldSlice out;
  PARLEY_TRY(done, rows.Exists(thread, DeletedBlockKey(kAllFolded)));
  out.last = done;
  if (done) return out;
  std::vector<int64_t> found;
  bool sound = true;
  const auto status = rows.raw().Scan(ThreadPartition(rows.tenant(), thread),
                                      RangeOf(storage::ThreadTag::kDeleted), storage::Direction::kForward,
                                      kFoldedAtOnce, [&](std::string_view sort, storage::RowView) {
                                        return sound = ParseDeletedKey(sort, &found.emplace_back());
                                      });
  if (!status.ok()) return FromStorage(status);
  if (!sound) return Error(ErrorCode::kInternal, "stored data cannot be read");
  Blocks blocks(rows, thread);
  for (const int64_t msg_no : found) {
    PARLEY_CHECK_OK(blocks.Add(msg_no));
    out.writes.push_back({DeletedKey(msg_no), std::nullopt});
  }
  blocks.WriteTo(&out.writes);
  out.last = found.size() < kFoldedAtOnce;
  if (out.last) out.writes.push_back({DeletedBlockKey(kAllFolded), storage::Row{1, {}}});
  return out;
}

}  // namespace parley::threads
