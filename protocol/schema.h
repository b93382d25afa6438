// The description language of the wire and of rows. A struct states the names, types and meanings of its
// fields once:
//
//   struct ReadMarkArgs {
//     ThreadId thread_id;
//     MessageId message_id;
//     static constexpr void Fields(auto& field) {
//       field("threadId", &ReadMarkArgs::thread_id, "the thread");
//       field("messageId", &ReadMarkArgs::message_id, "the newest message that was read");
//     }
//   };
//
// The decoder of both encodings (Bind), the encoder (Put), and the manual's JSON Schema (SchemaOf in
// asyncapi.cc) are derived from it: each passes Fields() its own function object. The type of a field decides
// whether the field may be missing:
//
//   T              must be present (an error otherwise); always written
//   optional<T>    may be missing or null; written as null when empty
//   Clearable<T>   may be missing (no change) or null (clear); requests only
//   Omit<T>        left out of a reply when empty
//
// Fields() is a template, so that including a description costs next to nothing: nearly every file of the
// project includes one, and few encode or decode. The code that it calls is kept small for the same reason.
#pragma once

#include <cstddef>
#include <string_view>

#include "protocol/base/ids.h"
#include "protocol/base/result.h"
#include "protocol/bind.h"
#include "protocol/encode.h"
#include "protocol/field_types.h"
