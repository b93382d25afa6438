// Owns the body of an answer, which counts against the readers' budget from its creation until the socket's
// queue counts it.
//
// Thread contract: one thread at a time; the body is made on any thread and moves to the loop with its share.
#pragma once

#include <cstdint>
#include <memory>
#include <optional>
#include <string>
#include <utility>

#include "gateway/app/counted_text.h"

namespace parley::gateway {

struct DynamoBody {
  DynamoBody() = default;
  DynamoBody(std::string json) : text(std::move(json)) {}  // NOLINT: implicit
  DynamoBody(const char* json) : text(json) {}             // NOLINT: implicit
  std::string text;
  int status = 200;                  // if not 200, `text` is an error's body
  std::optional<uint32_t> crc = {};  // Crc32 of `text`, if it was computed off the loop
  HeldBytes held = {};
};

class CountedAnswer final : public CountedText {
 public:
  using CountedText::CountedText;
  DynamoBody Take() && {
    DynamoBody body;
    body.held = TakeText(&body.text);
    return body;
  }
};

}  // namespace parley::gateway
