#include "storage/key.h"

#include "storage/table_specs.h"

namespace parley::storage {
namespace {

constexpr size_t kUlidSize = 16;

std::string Head(const protocol::KeyText& tenant, TableTag table) {
  std::string bytes = tenant.text();
  bytes += '\0';
  bytes += static_cast<char>(table);
  return bytes;
}

// Size of the partition id at the front of `rest`; nullopt if it is cut short.
std::optional<size_t> PartitionIdSize(PartitionShape shape, std::string_view rest) {
  const auto text_from = [&](size_t start) -> std::optional<size_t> {
    const size_t end = rest.find('\0', start);
    if (end == std::string_view::npos) return std::nullopt;
    return end + 1;
  };
  switch (shape) {
    case PartitionShape::kNothing:
      return 0;
    case PartitionShape::kUlid:
      return rest.size() >= kUlidSize ? std::optional(kUlidSize) : std::nullopt;
    case PartitionShape::kText:
      return text_from(0);
    case PartitionShape::kTaggedText:
      return text_from(1);
  }
  return std::nullopt;
}

PartitionKey PartitionOf(const protocol::TenantId& tenant, const TableSpec& spec, std::string_view id) {
  using protocol::KeyText;
  switch (spec.shape) {
    case PartitionShape::kNothing:
      break;
    case PartitionShape::kUlid:
      return PartitionKey::OfUlid(tenant, spec.tag, *protocol::Ulid::FromBytes(id));
    case PartitionShape::kText:
      return PartitionKey::OfText(tenant, spec.tag, KeyText::UpToNul(id));
    case PartitionShape::kTaggedText:
      return PartitionKey::OfTaggedText(tenant, spec.tag, static_cast<uint8_t>(id[0]),
                                        KeyText::UpToNul(id.substr(1)));
  }
  return spec.tag == TableTag::kStore ? PartitionKey::OfStore() : PartitionKey::OfTenant(tenant, spec.tag);
}

struct HeadParts {
  std::string_view tenant;
  TableTag table;
  size_t size;
};
std::optional<HeadParts> ParseHead(std::string_view bytes) {
  const size_t nul = bytes.find('\0');
  if (nul == std::string_view::npos || nul + 1 >= bytes.size()) return std::nullopt;
  const auto table = static_cast<TableTag>(bytes[nul + 1]);
  // Only the store's own rows have no tenant.
  if ((nul == 0) != (table == TableTag::kStore)) return std::nullopt;
  return HeadParts{bytes.substr(0, nul), table, nul + 2};
}

void AppendBigEndian(std::string* out, uint64_t n) {
  for (int shift = 56; shift >= 0; shift -= 8) *out += static_cast<char>(n >> shift);
}

}  // namespace

PartitionKey PartitionKey::OfUlid(const protocol::TenantId& tenant, TableTag table,
                                  const protocol::Ulid& id) {
  std::string bytes = Head(tenant.value, table);
  bytes += id.raw();
  return PartitionKey(std::move(bytes));
}

PartitionKey PartitionKey::OfText(const protocol::TenantId& tenant, TableTag table,
                                  const protocol::KeyText& id) {
  std::string bytes = Head(tenant.value, table);
  bytes += id.text();
  bytes += '\0';
  return PartitionKey(std::move(bytes));
}

PartitionKey PartitionKey::OfTaggedText(const protocol::TenantId& tenant, TableTag table, uint8_t tag,
                                        const protocol::KeyText& id) {
  std::string bytes = Head(tenant.value, table);
  bytes += static_cast<char>(tag);
  bytes += id.text();
  bytes += '\0';
  return PartitionKey(std::move(bytes));
}

PartitionKey PartitionKey::OfTenant(const protocol::TenantId& tenant, TableTag table) {
  return PartitionKey(Head(tenant.value, table));
}

PartitionKey PartitionKey::OfStore() {
  return PartitionKey(Head("", TableTag::kStore));
}

TableTag PartitionKey::table() const {
  return static_cast<TableTag>(bytes_[bytes_.find('\0') + 1]);
}
std::string_view PartitionKey::tenant() const {
  return std::string_view(bytes_).substr(0, bytes_.find('\0'));
}
std::string_view PartitionKey::id() const {
  return std::string_view(bytes_).substr(bytes_.find('\0') + 2);
}

std::optional<PartitionKey> PartitionKey::FromBytes(std::string_view bytes) {
  const auto split = Split(bytes);
  if (!split || !split->sort.bytes().empty()) return std::nullopt;
  return split->partition;
}

std::optional<SplitKey> Split(std::string_view physical) {
  const auto head = ParseHead(physical);
  const TableSpec* spec = head ? FindSpec(head->table) : nullptr;
  if (!spec) return std::nullopt;
  const auto id_size = PartitionIdSize(spec->shape, physical.substr(head->size));
  if (!id_size) return std::nullopt;
  const size_t size = head->size + *id_size;
  const protocol::TenantId tenant{protocol::KeyText::UpToNul(head->tenant)};
  SplitKey out;
  out.partition = PartitionOf(tenant, *spec, physical.substr(head->size, *id_size));
  out.sort = SortKey(std::string(physical.substr(size)));
  return out;
}

KeyWriter& KeyWriter::Text(const protocol::KeyText& text) {
  bytes_ += text.text();
  bytes_ += '\0';
  return *this;
}
KeyWriter& KeyWriter::Number(uint64_t n) {
  AppendBigEndian(&bytes_, n);
  return *this;
}
KeyWriter& KeyWriter::NumberDescending(uint64_t n) {
  return Number(~n);
}
KeyWriter& KeyWriter::Id(const protocol::Ulid& id) {
  bytes_ += id.raw();
  return *this;
}
KeyWriter& KeyWriter::IdDescending(const protocol::Ulid& id) {
  for (const uint8_t byte : id.bytes) bytes_ += static_cast<char>(~byte);
  return *this;
}

bool KeyReader::AnyTag(uint8_t* out) {
  if (rest_.empty()) return false;
  *out = static_cast<uint8_t>(rest_[0]);
  rest_.remove_prefix(1);
  return true;
}
bool KeyReader::Tag(uint8_t expected) {
  uint8_t tag;
  return AnyTag(&tag) && tag == expected;
}
bool KeyReader::Text(std::string* out) {
  const size_t end = rest_.find('\0');
  if (end == std::string_view::npos) return false;
  out->assign(rest_.substr(0, end));
  rest_.remove_prefix(end + 1);
  return true;
}
bool KeyReader::Text(protocol::KeyText* out) {
  std::string text;
  if (!Text(&text)) return false;
  *out = protocol::KeyText::UpToNul(text);
  return true;
}
bool KeyReader::Number(uint64_t* out) {
  if (rest_.size() < 8) return false;
  *out = 0;
  for (size_t i = 0; i < 8; ++i) *out = *out << 8 | static_cast<uint8_t>(rest_[i]);
  rest_.remove_prefix(8);
  return true;
}
bool KeyReader::NumberDescending(uint64_t* out) {
  if (!Number(out)) return false;
  *out = ~*out;
  return true;
}
bool KeyReader::Id(protocol::Ulid* out) {
  if (rest_.size() < kUlidSize) return false;
  *out = *protocol::Ulid::FromBytes(rest_.substr(0, kUlidSize));
  rest_.remove_prefix(kUlidSize);
  return true;
}
bool KeyReader::IdDescending(protocol::Ulid* out) {
  if (!Id(out)) return false;
  for (uint8_t& byte : out->bytes) byte = static_cast<uint8_t>(~byte);
  return true;
}

std::string UpperBound(std::string_view prefix) {
  std::string out(prefix);
  while (!out.empty() && static_cast<uint8_t>(out.back()) == 0xff) out.pop_back();
  if (!out.empty()) out.back() = static_cast<char>(static_cast<uint8_t>(out.back()) + 1);
  return out;
}

SortRange SortRange::Prefix(const SortKey& prefix) {
  return {prefix, SortKey(UpperBound(prefix.bytes()))};
}

}  // namespace parley::storage
