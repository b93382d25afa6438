// The description language. A struct states once what its fields are called, which types they have, and what
// they mean:
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
// From that one place come the decoder of both encodings (Bind), the encoder (Put), and the manual's JSON
// Schema (SchemaOf in asyncapi.cc): each passes Fields() its own function object. Whether a field may be
// missing follows from its type:
//
//   T              must be there (an error otherwise); always written
//   optional<T>    may be missing or null; written as null when empty
//   Clearable<T>   may be missing (no change) or null (clear); requests only
//   Omit<T>        left out of a reply when empty
//
// Fields() is a template, so that including a description costs next to nothing: nearly every file of the
// project includes one, and few encode or decode. What it calls is kept small for the same reason.
#pragma once

#include <cstddef>
#include <string_view>

#include "protocol/base/ids.h"
#include "protocol/base/result.h"
#include "protocol/bind.h"
#include "protocol/encode.h"
#include "protocol/field_types.h"
