#include "accounts/audit/audit_row.h"

#include <algorithm>

#include "protocol/base/encoding.h"
#include "protocol/base/varint.h"
#include "protocol/bind.h"

namespace parley::accounts {

using protocol::KeyText;
using storage::AuditTag;
using storage::KeyReader;
using storage::KeyWriter;
using storage::SortKey;

namespace {
constexpr size_t kHashBytes = 32;

std::string BytesOfHex(std::string_view hex) {
  const auto digit = [](char c) { return c <= '9' ? c - '0' : c - 'a' + 10; };
  std::string out;
  for (size_t i = 0; i + 1 < hex.size(); i += 2)
    out += static_cast<char>(digit(hex[i]) << 4 | digit(hex[i + 1]));
  return out;
}
}  // namespace

std::optional<std::string> FacetOf(const protocol::AuditFacts& facts, AuditFacet facet) {
  const auto text = [](const auto& id) { return id ? std::optional(id->ToText()) : std::nullopt; };
  switch (facet) {
    case AuditFacet::kThread:
      return text(facts.thread_id);
    case AuditFacet::kActor:
      return text(facts.actor);
    case AuditFacet::kUser:
      return text(facts.user_id);
    case AuditFacet::kCase:
      return facts.case_id;
    case AuditFacet::kLate:
      break;
  }
  return std::nullopt;
}

storage::PartitionKey AuditPartition(const protocol::TenantId& tenant) {
  return storage::PartitionKey::OfTenant(tenant, storage::TableTag::kAudit);
}

SortKey AuditHeadKey() {
  return KeyWriter().Tag(AuditTag::kHead).Sort();
}

SortKey AuditEntryKey(uint64_t seq) {
  return KeyWriter().Tag(AuditTag::kEntry).Number(seq).Sort();
}

bool ParseAuditEntryKey(std::string_view sort, uint64_t* seq) {
  KeyReader reader(sort);
  return reader.Tag(AuditTag::kEntry) && reader.Number(seq) && reader.AtEnd();
}

SortKey AuditTimeKey(const AuditPlace& place) {
  return KeyWriter()
      .Tag(AuditTag::kByTime)
      .Number(static_cast<uint64_t>(place.at.ms))
      .Number(place.seq)
      .Sort();
}

SortKey AuditFacetKey(AuditFacet facet, std::string_view value, const AuditPlace& place) {
  return KeyWriter()
      .Tag(AuditTag::kBy)
      .Tag(facet)
      .Text(KeyText::UpToNul(value))
      .Number(static_cast<uint64_t>(place.at.ms))
      .Number(place.seq)
      .Sort();
}

bool ParseAuditPlace(std::string_view sort, AuditPlace* place) {
  KeyReader reader(sort);
  uint8_t tag = 0, facet = 0;
  std::string value;
  uint64_t ms = 0;
  if (!reader.AnyTag(&tag)) return false;
  if (tag == static_cast<uint8_t>(AuditTag::kBy)) {
    if (!reader.AnyTag(&facet) || !reader.Text(&value)) return false;
  } else if (tag != static_cast<uint8_t>(AuditTag::kByTime)) {
    return false;
  }
  if (!reader.Number(&ms) || !reader.Number(&place->seq) || !reader.AtEnd()) return false;
  place->at.ms = static_cast<int64_t>(ms);
  return true;
}

SortKey AuditLateKey(uint64_t seq) {
  return AuditFacetKey(AuditFacet::kLate, "", {{}, seq});
}

std::vector<SortKey> AuditIndexKeys(const protocol::AuditFacts& facts, protocol::Time last) {
  const AuditPlace place{std::max(facts.at, last), static_cast<uint64_t>(facts.seq)};
  std::vector<SortKey> out = {AuditTimeKey(place)};
  if (facts.at < last) out.push_back(AuditLateKey(place.seq));
  for (const AuditFacet facet : kAuditFacets) {
    if (const auto value = FacetOf(facts, facet)) out.push_back(AuditFacetKey(facet, *value, place));
  }
  return out;
}

std::string EncodeAuditHead(const AuditHead& head) {
  std::string out;
  protocol::AppendVarint(&out, head.entries);
  out += BytesOfHex(head.hash);
  protocol::AppendVarint(&out, static_cast<uint64_t>(head.last.ms));
  return out;
}

bool DecodeAuditHead(std::string_view bytes, AuditHead* out) {
  if (!protocol::TakeVarint(&bytes, &out->entries) || bytes.size() < kHashBytes) return false;
  out->hash = protocol::Hex(bytes.substr(0, kHashBytes));
  bytes.remove_prefix(kHashBytes);
  out->last = {};
  if (bytes.empty()) return true;  // written when lists were in the order of the acts' times
  uint64_t ms = 0;
  if (!protocol::TakeVarint(&bytes, &ms) || !bytes.empty()) return false;
  out->last.ms = static_cast<int64_t>(ms);
  return true;
}

bool DecodeChainEntry(std::string_view bytes, protocol::ChainEntry* out) {
  protocol::Document document;
  return !protocol::DecodeMsgpack(std::string(bytes), {}, &document) &&
         protocol::Bind(document.root, out).ok();
}

}  // namespace parley::accounts
