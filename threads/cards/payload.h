// Checks a card's payload against its kind's schema and adds what only the server computes.
#pragma once

#include <optional>
#include <string>

#include "protocol/base/result.h"
#include "protocol/cards.h"
#include "protocol/items.h"
#include "threads/model/card_kinds.h"

namespace parley::threads {

inline constexpr size_t kMaxPayloadBytes = 16 * 1024;

struct CheckedPayload {
  protocol::Json json;                   // as stored
  std::optional<protocol::Time> until;   // for a location: when it must be gone
  std::optional<int64_t> max_revisions;  // for a deliverable
  std::optional<protocol::MessageId> deliverable;
  std::optional<int64_t> version;  // of the deliverable, as the caller saw it
  std::string manifest;
};

// CARD_INVALID with every field that is wrong, TOO_LARGE, or the payload as it is stored: null members left
// out, totals added. A total that the client sends is an unknown field. `kind` is null for custom types. In a
// thread that is bound to a leg, no other leg may be named: outside effects apply to the thread's leg.
protocol::Result<CheckedPayload> CheckPayload(const CardKind* kind, const protocol::Thread& thread,
                                              const protocol::Json& payload);

// For maps without a schema: payloads of custom cards, and data from the back end. CARD_INVALID beyond these
// limits, so that whatever was accepted can always be read again.
inline constexpr size_t kMaxOpenValues = 1000;
inline constexpr int kMaxOpenDepth = 8;
protocol::Status CheckOpenData(std::string_view name, const protocol::Json& data);

// `data` of an intent that accepts only a note.
protocol::Result<std::optional<std::string>> CheckNote(const std::optional<protocol::Json>& data);

// The payload as a message shows it, which is all that is left of it once its time is over: without what must
// disappear then.
protocol::Json ShownPayload(std::string_view type, const protocol::Json& payload);

// What a payload says of the booking that it is about, and nothing else.
protocol::Json OnlyBooking(const protocol::Json& payload);

// A text member of a stored payload; empty when there is none.
std::string PayloadText(const protocol::Json& payload, std::string_view field);
std::optional<int64_t> PayloadInt(const protocol::Json& payload, std::string_view field);

}  // namespace parley::threads
