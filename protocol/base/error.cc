#include "protocol/base/error.h"

#include <algorithm>
#include <array>
#include <iterator>

#include "protocol/base/reason.h"

namespace parley::protocol {
namespace {

using E = ErrorCode;
constexpr std::array<ErrorCodeInfo, kErrorCodeCount> kErrors = {{
    {E::kBadRequest, "BAD_REQUEST", 400, "Something in this request is not valid.",
     "malformed, missing or unknown field, bad id, bad cursor"},
    {E::kUnknownOp, "UNKNOWN_OP", 400, "This action is not known to the server.", "no such op"},
    {E::kUnauthenticated, "UNAUTHENTICATED", 401, "Please sign in.", "no credential, or a bad one"},
    {E::kAuthExpired, "AUTH_EXPIRED", 401, "Your sign-in has expired. Please sign in again.",
     "the credential has expired"},
    {E::kForbidden, "FORBIDDEN", 403, "You are not allowed to do this.", "known, but not allowed"},
    {E::kThreadNotMember, "THREAD_NOT_MEMBER", 404, "This conversation is not available to you.",
     "not a participant, or no such thread"},
    {E::kNotFound, "NOT_FOUND", 404, "This item does not exist.",
     "no such item, or not visible to the caller"},
    {E::kAlreadyExists, "ALREADY_EXISTS", 409, "This exists already.", "a create lost to an earlier one"},
    {E::kVersionConflict, "VERSION_CONFLICT", 409, "Somebody changed this in the meantime.",
     "stale version; `current` holds the server's copy"},
    {E::kIdempotencyConflict, "IDEMPOTENCY_CONFLICT", 409, "This was already sent with other content.",
     "a known clientId with other args"},
    {E::kPanelVersionConflict, "PANEL_VERSION_CONFLICT", 409, "Somebody changed this tab in the meantime.",
     "stale tab version"},
    {E::kActionConflict, "ACTION_CONFLICT", 409, "This cannot be done because something else changed.",
     "an outside effect clashes"},
    {E::kActionInvalidState, "ACTION_INVALID_STATE", 422, "This is no longer possible.",
     "intent not allowed from this state"},
    {E::kCardInvalid, "CARD_INVALID", 422, "Some details of this card are not valid.",
     "payload fails its schema"},
    {E::kCardExpired, "CARD_EXPIRED", 422, "This card has expired.", "past its time"},
    {E::kThreadLocked, "THREAD_LOCKED", 423, "This conversation is locked.", "writing to a locked thread"},
    {E::kThreadArchived, "THREAD_ARCHIVED", 423, "This conversation is archived.",
     "writing to a thread archived by staff"},
    {E::kMsgPolicyBlocked, "MSG_POLICY_BLOCKED", 422, "This message goes against the rules.", "text policy"},
    {E::kMsgNsfwBlocked, "MSG_NSFW_BLOCKED", 422, "This content is not allowed here.", "Safe-Mode"},
    {E::kSafetySoftBlock, "SAFETY_SOFT_BLOCK", 422, "Messaging is paused in this conversation.",
     "soft-blocked pair"},
    {E::kMsgGateRequired, "MSG_GATE_REQUIRED", 403, "Wait until your request is accepted.",
     "a message request is pending"},
    {E::kMsgBlockedByUser, "MSG_BLOCKED_BY_USER", 403, "You cannot write to this person.", "blocked"},
    {E::kCreditsExhausted, "CREDITS_EXHAUSTED", 403, "You have no credits left for new conversations.",
     "no credit"},
    {E::kContactFilterUnmet, "CONTACT_FILTER_UNMET", 403, "This person asks for more details first.",
     "the recipient's filter is unmet"},
    {E::kUploadQuarantined, "UPLOAD_QUARANTINED", 422, "This file is being checked.",
     "attachment in quarantine"},
    {E::kAttachmentTooLarge, "ATTACHMENT_TOO_LARGE", 422, "This file is too large.",
     "attachment over its limit"},
    {E::kUnsupportedType, "UNSUPPORTED_TYPE", 422, "This kind of file is not supported.", "attachment type"},
    {E::kTooLarge, "TOO_LARGE", 413, "This is too long.", "body or item over its limit"},
    {E::kRateLimited, "RATE_LIMITED", 429, "Too fast. Please wait a moment.", "with `retryAfterMs`"},
    {E::kUnavailable, "UNAVAILABLE", 503, "The server cannot do this right now. Please try again.",
     "draining, disk full, storage unreachable"},
    {E::kInternal, "INTERNAL", 500, "Something went wrong on our side.", "a bug; see the log for corrId"},
}};

constexpr bool InOrder() {
  for (size_t i = 0; i < kErrorCodeCount; ++i) {
    if (static_cast<size_t>(kErrors[i].code) != i || kErrors[i].hint.empty()) return false;
  }
  return true;
}
static_assert(InOrder(), "each code has its line, in the order of the enumeration, with a hint");

constexpr CloseCodeInfo kCloseCodes[] = {
    {CloseCode::kBye, "bye", "nothing"},
    {CloseCode::kDraining, "server drains", "reconnect after a random part of reconnectWithinMs and resume"},
    {CloseCode::kWrongKind, "wrong kind of frame", "fix the client: text for json, binary for msgpack"},
    {CloseCode::kUndecodable, "frame does not decode or breaks a bound", "fix the client"},
    {CloseCode::kTooBig, "frame too large", "fix the client: limits.maxFrameBytes"},
    {CloseCode::kInternal, "internal error", "reconnect with back-off and resume"},
    {CloseCode::kOverloaded, "overloaded", "reconnect with back-off and resume"},
    {CloseCode::kMisuse, "protocol misuse", "fix the client"},
    {CloseCode::kUnauthenticated, "unauthenticated", "get a new token, then reconnect and resume"},
    {CloseCode::kForbidden, "forbidden", "do not reconnect"},
    {CloseCode::kNoHello, "no session.hello in time", "reconnect and send it first"},
    {CloseCode::kTooManyRequests, "too many requests", "reconnect with back-off"},
    {CloseCode::kTooSlow, "client reads too slowly", "reconnect and resume"},
};

constexpr bool Ascends() {
  for (size_t i = 1; i < std::size(kCloseCodes); ++i) {
    if (kCloseCodes[i].code <= kCloseCodes[i - 1].code) return false;
  }
  return true;
}
static_assert(Ascends(), "one line for each close code, in order of the numbers");

}  // namespace

Error::Error() = default;
Error::Error(ErrorCode c, std::string m) : code(c), message(std::move(m)) {}
Error::Error(const Error&) = default;
Error::Error(Error&&) noexcept = default;
Error& Error::operator=(const Error&) = default;
Error& Error::operator=(Error&&) noexcept = default;
Error::~Error() = default;

Error Error::BadRequest(std::string m) {
  return {ErrorCode::kBadRequest, std::move(m)};
}

Error Error::BadField(std::string field, std::string what) {
  Error e(ErrorCode::kBadRequest, field + ": " + what);
  e.hint = HintOfField(what);
  e.fields.emplace_back(std::move(field), std::move(what));
  return e;
}

const ErrorCodeInfo& Describe(ErrorCode code) {
  return kErrors[static_cast<size_t>(code)];
}

std::span<const CloseCodeInfo> CloseCodes() {
  return kCloseCodes;
}

const CloseCodeInfo& Describe(CloseCode code) {
  const auto* found = std::find_if(std::begin(kCloseCodes), std::end(kCloseCodes),
                                   [&](const CloseCodeInfo& info) { return info.code == code; });
  return found == std::end(kCloseCodes) ? Describe(CloseCode::kInternal) : *found;
}

}  // namespace parley::protocol
