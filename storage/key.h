// Keys. The format is specified in storage/FORMAT.md, with a test vector per key (tests/storage/key_test.cc).
//
//   physical key = tenant 00 | table (1) | partition | sort
//
// Every variable part is either of fixed size or terminated by 00 (and then free of 00), so no key is a
// prefix of another and byte order is domain order: integers are big-endian, descending ones complemented.
#pragma once

#include <compare>
#include <cstdint>
#include <functional>
#include <optional>
#include <string>
#include <string_view>

#include "protocol/base/ids.h"
#include "storage/key_tags.h"

namespace parley::storage {

// A partition: the unit of atomic commits. Bytes are tenant, table and partition id together.
class PartitionKey {
 public:
  PartitionKey() = default;
  static PartitionKey OfUlid(const protocol::TenantId& tenant, TableTag table, const protocol::Ulid& id);
  static PartitionKey OfText(const protocol::TenantId& tenant, TableTag table, const protocol::KeyText& id);
  static PartitionKey OfTaggedText(const protocol::TenantId& tenant, TableTag table, uint8_t tag,
                                   const protocol::KeyText& id);
  static PartitionKey OfTenant(const protocol::TenantId& tenant, TableTag table);  // one for the whole tenant
  static PartitionKey OfStore();                                                   // the store's own rows

  const std::string& bytes() const { return bytes_; }
  bool empty() const { return bytes_.empty(); }
  TableTag table() const;
  std::string_view tenant() const;
  std::string_view id() const;  // the bytes after the table byte
  static std::optional<PartitionKey> FromBytes(std::string_view bytes);
  friend auto operator<=>(const PartitionKey&, const PartitionKey&) = default;

 private:
  explicit PartitionKey(std::string bytes) : bytes_(std::move(bytes)) {}
  std::string bytes_;
};

// A row's place within its partition.
class SortKey {
 public:
  SortKey() = default;
  explicit SortKey(std::string bytes) : bytes_(std::move(bytes)) {}
  const std::string& bytes() const { return bytes_; }
  friend auto operator<=>(const SortKey&, const SortKey&) = default;

 private:
  std::string bytes_;
};

// Builds the bytes of a sort key or partition id.
class KeyWriter {
 public:
  KeyWriter& Tag(uint8_t tag) {
    bytes_ += static_cast<char>(tag);
    return *this;
  }
  template <class E>
  requires std::is_enum_v<E> KeyWriter& Tag(E tag) { return Tag(static_cast<uint8_t>(tag)); }
  KeyWriter& Text(const protocol::KeyText& text);  // terminated by 00
  KeyWriter& Number(uint64_t n);                   // ascending
  KeyWriter& NumberDescending(uint64_t n);
  KeyWriter& Id(const protocol::Ulid& id);
  KeyWriter& IdDescending(const protocol::Ulid& id);
  SortKey Sort() { return SortKey(std::move(bytes_)); }
  std::string Bytes() { return std::move(bytes_); }

 private:
  std::string bytes_;
};

// Parses a key; every read fails on short input, and AtEnd is false while bytes are left.
class KeyReader {
 public:
  explicit KeyReader(std::string_view bytes) : rest_(bytes) {}
  bool Tag(uint8_t expected);
  template <class E>
  requires std::is_enum_v<E>
  bool Tag(E expected) { return Tag(static_cast<uint8_t>(expected)); }
  bool AnyTag(uint8_t* out);
  bool Text(std::string* out);
  bool Text(protocol::KeyText* out);
  bool Number(uint64_t* out);
  bool NumberDescending(uint64_t* out);
  bool Id(protocol::Ulid* out);
  bool IdDescending(protocol::Ulid* out);
  bool AtEnd() const { return rest_.empty(); }

 private:
  std::string_view rest_;
};

// Half-open: begin <= key < end. An empty end means "to the end of the partition".
struct SortRange {
  SortKey begin;
  SortKey end;
  // All keys that start with `prefix`.
  static SortRange Prefix(const SortKey& prefix);
  static SortRange All() { return {}; }
};

// The smallest string above all strings that start with `prefix`; empty if it does not exist.
std::string UpperBound(std::string_view prefix);

// Splits a physical key; returns nullopt if it is invalid.
struct SplitKey {
  PartitionKey partition;
  SortKey sort;
};
std::optional<SplitKey> Split(std::string_view physical);

}  // namespace parley::storage

template <>
struct std::hash<parley::storage::PartitionKey> {
  size_t operator()(const parley::storage::PartitionKey& key) const noexcept {
    return std::hash<std::string>()(key.bytes());
  }
};
