// Ids. The server's own ids are ULIDs (48-bit milliseconds, 80-bit randomness) with a prefix that names the
// kind; the tenant's ids (users, lbgId, legId) are opaque text over a fixed character set. Each kind is a
// distinct type.
#pragma once

#include <array>
#include <compare>
#include <cstdint>
#include <functional>
#include <memory>
#include <optional>
#include <string>
#include <string_view>

#include "protocol/base/key_text.h"
#include "protocol/base/time.h"

namespace parley::protocol {

// 16 bytes, big-endian, so that byte order is creation order. Text: 26 characters of lower-case Crockford
// base32.
struct Ulid {
  std::array<uint8_t, 16> bytes{};

  static constexpr size_t kTextSize = 26;
  Time time() const;
  std::string ToText() const;
  static std::optional<Ulid> FromText(std::string_view text);
  static std::optional<Ulid> FromBytes(std::string_view raw);
  std::string_view raw() const { return {reinterpret_cast<const char*>(bytes.data()), bytes.size()}; }
  Ulid Next() const;  // the smallest ULID above this one
  bool empty() const { return *this == Ulid{}; }
  friend auto operator<=>(const Ulid&, const Ulid&) = default;
};

// A ULID with a kind: ThreadId is "thrd_" + ULID. Kind defines `kPrefix`.
template <class Kind>
struct ServerId {
  Ulid ulid;

  std::string ToText() const { return std::string(Kind::kPrefix) + ulid.ToText(); }
  static std::optional<ServerId> FromText(std::string_view text) {
    if (!text.starts_with(Kind::kPrefix)) return std::nullopt;
    const auto ulid = Ulid::FromText(text.substr(Kind::kPrefix.size()));
    if (!ulid) return std::nullopt;
    return ServerId{*ulid};
  }
  bool empty() const { return ulid.empty(); }
  friend auto operator<=>(const ServerId&, const ServerId&) = default;
};
struct ThreadKindTag {
  static constexpr std::string_view kPrefix = "thrd_";
};
struct MessageKindTag {
  static constexpr std::string_view kPrefix = "msg_";
};
struct CaseKindTag {
  static constexpr std::string_view kPrefix = "case_";
};
struct AuditKindTag {
  static constexpr std::string_view kPrefix = "aud_";
};
struct RequestKindTag {
  static constexpr std::string_view kPrefix = "req_";
};
struct AttachmentKindTag {
  static constexpr std::string_view kPrefix = "att_";
};
using ThreadId = ServerId<ThreadKindTag>;
using AttachmentId = ServerId<AttachmentKindTag>;
using MessageId = ServerId<MessageKindTag>;
// Its bytes contain no time: a reporter must not learn that others reported the subject before.
using CaseId = ServerId<CaseKindTag>;
using RequestId = ServerId<RequestKindTag>;
using AuditId = ServerId<AuditKindTag>;

// An id that the tenant chose: 1-64 characters of A-Za-z0-9_.:- (so that it needs no escaping in keys).
bool IsTenantChosenId(std::string_view text);

template <class Kind>
struct ExternalId {
  KeyText value;
  static std::optional<ExternalId> FromText(std::string_view text) {
    if (!IsTenantChosenId(text)) return std::nullopt;
    return ExternalId{KeyText::UpToNul(text)};
  }
  const std::string& ToText() const { return value.text(); }
  bool empty() const { return value.empty(); }
  friend auto operator<=>(const ExternalId&, const ExternalId&) = default;
};
struct TenantTag {};
struct UserTag {};
struct LbgTag {};
struct LegTag {};
using TenantId = ExternalId<TenantTag>;
using UserId = ExternalId<UserTag>;
using LbgId = ExternalId<LbgTag>;
using LegId = ExternalId<LegTag>;

// A client's name for one request: 1-64 printable ASCII characters.
struct ClientId {
  KeyText value;
  static std::optional<ClientId> FromText(std::string_view text);
  const std::string& ToText() const { return value.text(); }
  friend auto operator<=>(const ClientId&, const ClientId&) = default;
};

// Makes ULIDs. Within one millisecond the randomness is incremented, so ids from one source are in creation
// order unless the clock steps back. Not thread-safe: the executor owns it.
class IdSource {
 public:
  virtual ~IdSource() = default;
  Ulid Make(Time now);
  // A separate source of the same kind, for another thread.
  virtual std::unique_ptr<IdSource> Another() = 0;

 protected:
  virtual void FillRandom(uint8_t* at, size_t size) = 0;

 private:
  Ulid last_;
};
std::unique_ptr<IdSource> NewSecureIdSource();
std::unique_ptr<IdSource> NewSeededIdSource(uint64_t seed);  // for tests: same seed, same ids

}  // namespace parley::protocol

template <>
struct std::hash<parley::protocol::Ulid> {
  size_t operator()(const parley::protocol::Ulid& id) const noexcept {
    return std::hash<std::string_view>()(id.raw());
  }
};
template <class Kind>
struct std::hash<parley::protocol::ServerId<Kind>> {
  size_t operator()(const parley::protocol::ServerId<Kind>& id) const noexcept {
    return std::hash<parley::protocol::Ulid>()(id.ulid);
  }
};
template <class Kind>
struct std::hash<parley::protocol::ExternalId<Kind>> {
  size_t operator()(const parley::protocol::ExternalId<Kind>& id) const noexcept {
    return std::hash<std::string>()(id.value.text());
  }
};
