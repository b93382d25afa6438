// The body of an answer, counted among what is held for readers from the moment that it is made until it is
// given to its socket, whose queue counts it then.
//
// Thread contract: one thread at a time; it is made where the answer is, and goes to the loop with it.
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
  int status = 200;                  // another one: `text` is an error's body
  std::optional<uint32_t> crc = {};  // Crc32 of `text`, where that was found off the loop
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
