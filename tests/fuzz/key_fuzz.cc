// Keys: parsing any bytes never crashes, and a key that parses is rebuilt to the same bytes.
#include <cstdint>
#include <cstdlib>
#include <string_view>

#include "storage/engine/item_keys.h"
#include "storage/key.h"
#include "storage/store_rows.h"

namespace {

using namespace parley::storage;

void Expect(bool holds) {
  if (!holds) std::abort();
}

void SplitAndJoin(std::string_view bytes) {
  if (const auto split = Split(bytes)) {
    Expect(RowKeyBytes(split->partition, split->sort) == bytes);
    const auto partition = PartitionKey::FromBytes(split->partition.bytes());
    Expect(partition.has_value() && *partition == split->partition);
  }
  if (const auto partition = PartitionKey::FromBytes(bytes)) {
    Expect(partition->bytes() == bytes);
    Expect(bytes.starts_with(partition->tenant()) && bytes.ends_with(partition->id()));
  }
  if (const auto position = ParseChangeLogKey(bytes)) Expect(ChangeLogKey(*position) == bytes);
  if (const auto position = DecodePosition(bytes)) Expect(EncodePosition(*position) == bytes);
  const std::string above = UpperBound(bytes);
  Expect(above.empty() || (above > bytes && !above.starts_with(bytes)));
}

// `shape` names the parts, one per byte; they are read from `bytes` and written again.
bool ReadAndWrite(std::string_view shape, std::string_view bytes, KeyWriter* out) {
  KeyReader reader(bytes);
  uint8_t tag = 0;
  parley::protocol::KeyText text;
  uint64_t number = 0;
  parley::protocol::Ulid id;
  for (const char part : shape) {
    switch (static_cast<uint8_t>(part) % 6) {
      case 0:
        if (!reader.AnyTag(&tag)) return false;
        out->Tag(tag);
        break;
      case 1:
        if (!reader.Text(&text)) return false;
        out->Text(text);
        break;
      case 2:
        if (!reader.Number(&number)) return false;
        out->Number(number);
        break;
      case 3:
        if (!reader.NumberDescending(&number)) return false;
        out->NumberDescending(number);
        break;
      case 4:
        if (!reader.Id(&id)) return false;
        out->Id(id);
        break;
      default:
        if (!reader.IdDescending(&id)) return false;
        out->IdDescending(id);
    }
  }
  return reader.AtEnd();
}

// Entries of an index whose keys have several attributes, with every type of key attribute.
void ReadAndWriteEntry(std::string_view bytes) {
  using enum AttributeType;
  TableDef def;
  def.keys = {{"id", kString}, KeyAttribute{"n", kNumber}};
  IndexDef index;
  index.number = 1;
  index.keys = {{"a", kString}, KeyAttribute{"d", kNumber}};
  index.keys.more_hash = {{"b", kNumber}, {"c", kBinary}};
  index.keys.more_range = {{"e", kString}, {"f", kBinary}};
  const std::string sort = IndexPrefix(index) + std::string(bytes);
  KeyValues entry, item;
  if (!ParseEntryKey(def, index, sort, &entry, &item)) return;
  // The hash follows the index; the entry that was read does not include it.
  const size_t head = IndexPrefix(index).size() + 2;
  const std::string again = EntryKey(def, index, entry, item).bytes();
  Expect(again.substr(head) == sort.substr(head));
  const auto own = ItemKeyOfEntry(def, index, sort);
  Expect(own && *own == ItemKey(def, item));
}

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const uint8_t* data, size_t size) {
  const std::string_view bytes(reinterpret_cast<const char*>(data), size);
  SplitAndJoin(bytes);
  ReadAndWriteEntry(bytes);
  // The first byte is the number of bytes of shape that follow.
  if (bytes.empty()) return 0;
  const std::string_view shape = bytes.substr(1, data[0] % 8);
  const std::string_view key = bytes.substr(1 + shape.size());
  KeyWriter writer;
  if (ReadAndWrite(shape, key, &writer)) Expect(writer.Bytes() == key);
  return 0;
}
