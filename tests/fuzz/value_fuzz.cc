// Row values and META: decoding any bytes never crashes, and a decoded value encodes to the same bytes.
#include <cstdint>
#include <cstdlib>
#include <string>
#include <string_view>

#include "storage/rocksdb_table.h"
#include "storage/row_format.h"
#include "storage/store_meta.h"

namespace {

void Expect(bool holds) {
  if (!holds) std::abort();
}

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const uint8_t* data, size_t size) {
  using namespace parley::storage;
  const std::string_view bytes(reinterpret_cast<const char*>(data), size);
  RowView row{};
  if (const Status status = DecodeRow(bytes, &row); status.ok()) {
    Expect(EncodeRowHead(row.version) + std::string(row.payload) == bytes);
  } else {
    Expect(status.code == StatusCode::kCorrupt && !status.detail.empty());
  }
  if (const auto meta = DecodeMeta(bytes); meta && meta->format == kStoreFormat)
    Expect(EncodeMeta(*meta) == bytes);
  return 0;
}
