// Sends the body of one answer piece by piece: asks the source for the next piece once the one before has
// left, and frames it for the connection.
//
// Threads: the loop's.
#pragma once

#include <cstdint>
#include <functional>
#include <memory>
#include <optional>
#include <string>

#include "gateway/net/http.h"

namespace parley::gateway {

class AnswerStream {
 public:
  enum class Form { kLength, kChunks, kToTheEnd };  // kToTheEnd: until the connection closes, for HTTP/1.0
  enum class Outcome { kMore, kWhole, kBroken };    // kBroken: the length or the source failed

  AnswerStream(std::shared_ptr<BodySource> source, std::optional<uint64_t> length, bool is_http_1_1)
      : source_(std::move(source)),
        form_(length        ? Form::kLength
              : is_http_1_1 ? Form::kChunks
                            : Form::kToTheEnd),
        left_(length.value_or(0)) {}

  Form form() const { return form_; }
  uint64_t bytes() const { return bytes_; }  // body bytes so far
  bool asked() const { return asked_; }
  // REQUIRES: !asked(). `got` is called once, unless this is destroyed first.
  void Ask(std::function<void(BodyPiece)> got);
  // Writes the framed piece to `wire`.
  Outcome Take(BodyPiece piece, std::string* wire);

 private:
  const std::shared_ptr<BodySource> source_;
  const Form form_;
  uint64_t left_;  // kLength: bytes still to come
  uint64_t bytes_ = 0;
  bool asked_ = false;
  std::shared_ptr<std::function<void(BodyPiece)>> got_;
};

}  // namespace parley::gateway
