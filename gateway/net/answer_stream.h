// The body of one answer on its way from its source, one piece at a time: asks for the next when the one
// before has left, and puts it into the form in which it is sent.
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
  enum class Form { kLength, kChunks, kToTheEnd };  // kToTheEnd: of the connection, for version 1.0
  enum class Outcome { kMore, kWhole, kBroken };    // kBroken: what was announced cannot be kept

  AnswerStream(std::shared_ptr<BodySource> source, std::optional<uint64_t> length, bool is_http_1_1)
      : source_(std::move(source)),
        form_(length        ? Form::kLength
              : is_http_1_1 ? Form::kChunks
                            : Form::kToTheEnd),
        left_(length.value_or(0)) {}

  Form form() const { return form_; }
  uint64_t bytes() const { return bytes_; }  // of the body so far
  bool asked() const { return asked_; }
  // REQUIRES: !asked(). `got` is called once, unless this is destroyed first.
  void Ask(std::function<void(BodyPiece)> got);
  // What goes to the peer for this piece.
  Outcome Take(BodyPiece piece, std::string* wire);

 private:
  const std::shared_ptr<BodySource> source_;
  const Form form_;
  uint64_t left_;  // kLength: of what was announced
  uint64_t bytes_ = 0;
  bool asked_ = false;
  std::shared_ptr<std::function<void(BodyPiece)>> got_;
};

}  // namespace parley::gateway
