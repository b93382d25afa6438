// Errors as they appear on the wire, in one closed table: code, HTTP status, and a hint that is safe to show
// to a person. Lower layers have their own small status sets (storage/table.h), which threads/ translates
// into these once.
#pragma once

#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

namespace parley::protocol {

// In the order of the documentation, which is not their precedence.
enum class ErrorCode : uint8_t {
  kBadRequest,
  kUnknownOp,
  kUnauthenticated,
  kAuthExpired,
  kForbidden,
  kThreadNotMember,
  kNotFound,
  kAlreadyExists,
  kVersionConflict,
  kIdempotencyConflict,
  kPanelVersionConflict,
  kActionConflict,
  kActionInvalidState,
  kCardInvalid,
  kCardExpired,
  kThreadLocked,
  kThreadArchived,
  kMsgPolicyBlocked,
  kMsgNsfwBlocked,
  kSafetySoftBlock,
  kMsgGateRequired,
  kMsgBlockedByUser,
  kCreditsExhausted,
  kContactFilterUnmet,
  kUploadQuarantined,
  kAttachmentTooLarge,
  kUnsupportedType,
  kTooLarge,
  kRateLimited,
  kUnavailable,
  kInternal,
};
inline constexpr size_t kErrorCodeCount = static_cast<size_t>(ErrorCode::kInternal) + 1;

struct ErrorCodeInfo {
  ErrorCode code;
  std::string_view name;  // as sent: "BAD_REQUEST"
  int http_status;
  std::string_view hint;  // default hint, never empty
  std::string_view when;  // for the manual
};
const ErrorCodeInfo& Describe(ErrorCode code);

// A failed request. `message` is for developers and must not carry internal detail. On a version conflict,
// `current` is the server's copy, already encoded as one MessagePack value.
struct Error {
  ErrorCode code = ErrorCode::kInternal;
  std::string message;
  std::string hint;  // empty: the code's default
  std::optional<int64_t> retry_after_ms;
  int64_t rate_limit = 0;  // for RATE_LIMITED: the number of allowed requests, 0 if unknown
  int http_status = 0;     // over HTTP, instead of the code's; 0: the code's
  std::string current;
  std::vector<std::pair<std::string, std::string>> fields;  // field name -> its fault

  Error();
  Error(ErrorCode c, std::string m);
  static Error BadRequest(std::string m);
  static Error BadField(std::string field, std::string what);
  // Out of line, because every Result in the project contains one.
  Error(const Error&);
  Error(Error&&) noexcept;
  Error& operator=(const Error&);
  Error& operator=(Error&&) noexcept;
  ~Error();
};

// Close codes: number, reason, and the client's next step.
enum class CloseCode : uint16_t {
  kBye = 1000,
  kDraining = 1001,
  kWrongKind = 1003,
  kUndecodable = 1007,
  kTooBig = 1009,
  kInternal = 1011,
  kOverloaded = 1013,
  kMisuse = 4400,
  kUnauthenticated = 4401,
  kForbidden = 4403,
  kNoHello = 4408,
  kTooManyRequests = 4429,
  kTooSlow = 4508,
};
struct CloseCodeInfo {
  CloseCode code;
  std::string_view reason;
  std::string_view next;  // the client's next step
};
const CloseCodeInfo& Describe(CloseCode code);
std::span<const CloseCodeInfo> CloseCodes();  // in numerical order

}  // namespace parley::protocol
