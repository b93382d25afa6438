#include "storage/row_format.h"

#include "protocol/base/varint.h"

namespace parley::storage {
namespace {

constexpr uint8_t kFormat = 1;

Status Corrupt(std::string detail) {
  return {StatusCode::kCorrupt, std::move(detail)};
}

}  // namespace

std::string EncodeRowHead(uint64_t version) {
  std::string out(1, static_cast<char>(kFormat));
  protocol::AppendVarint(&out, version);
  return out;
}

Status DecodeRow(std::string_view value, RowView* out) {
  if (value.empty()) return Corrupt("an empty row value");
  if (const uint8_t format = static_cast<uint8_t>(value[0]); format != kFormat) {
    return Corrupt("row format " + std::to_string(format) + ", and this program knows only " +
                   std::to_string(kFormat));
  }
  value.remove_prefix(1);
  if (!protocol::TakeVarint(&value, &out->version))
    return Corrupt("a row value whose version cannot be read");
  out->payload = value;
  return {};
}

}  // namespace parley::storage
