// Checks a card's payload against its kind's schema and adds the fields that the server computes.
#pragma once

#include <optional>
#include <string>

#include "protocol/base/result.h"
#include "protocol/cards.h"
#include "protocol/items.h"
#include "threads/model/caller.h"
#include "threads/model/card_kinds.h"

namespace parley::threads {

inline constexpr size_t kMaxPayloadBytes = 16 * 1024;

struct CheckedPayload {
  protocol::Json json;                   // as stored
  std::optional<protocol::Time> until;   // for a location: when it must disappear
  std::optional<int64_t> max_revisions;  // for a deliverable
  std::optional<protocol::MessageId> deliverable;
  std::optional<int64_t> version;  // the deliverable's version that the caller saw
  std::string manifest;
};

// Returns the payload to store, without null members and with totals, or CARD_INVALID with all wrong fields,
// or TOO_LARGE. A total that the client sends is an unknown field. `kind` is nullptr for custom types. In a
// thread that is bound to a leg, no other leg may be named, since outside effects apply to the thread's leg.
protocol::Result<CheckedPayload> CheckPayload(const CardKind* kind, const protocol::Thread& thread,
                                              const protocol::Json& payload);

// Checks maps without a schema: payloads of custom cards, and data from the back end. Returns CARD_INVALID
// beyond these limits, so that every accepted map can be decoded again.
inline constexpr size_t kMaxOpenValues = 1000;
inline constexpr int kMaxOpenDepth = 8;
protocol::Status CheckOpenData(std::string_view name, const protocol::Json& data);

// Returns CARD_INVALID for references that only services set: an s3Key, a manifest without https. `kind` is
// nullptr for custom types, whose payloads are plain data. REQUIRES: CheckPayload accepted the payload.
protocol::Status CheckOrigins(const CardKind* kind, const protocol::Json& payload, const Caller& caller);

// Parses `data` of an intent that accepts only a note.
protocol::Result<std::optional<std::string>> CheckNote(const std::optional<protocol::Json>& data);

// The payload as its message shows it and as it remains once the card has ended, without content that must
// disappear then.
protocol::Json ShownPayload(std::string_view type, const protocol::Json& payload);

// The fields of a payload that name its booking.
protocol::Json OnlyBooking(const protocol::Json& payload);

// A text member of a stored payload; empty if it is missing.
std::string PayloadText(const protocol::Json& payload, std::string_view field);
std::optional<int64_t> PayloadInt(const protocol::Json& payload, std::string_view field);

}  // namespace parley::threads
