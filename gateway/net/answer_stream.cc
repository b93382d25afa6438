#include "gateway/net/answer_stream.h"

#include <cstdio>
#include <utility>

namespace parley::gateway {
namespace {

std::string ChunkOf(const std::string& bytes) {
  char size[24];
  const int digits = std::snprintf(size, sizeof size, "%zx\r\n", bytes.size());
  std::string out;
  out.reserve(static_cast<size_t>(digits) + bytes.size() + 2);
  return out.append(size, static_cast<size_t>(digits)).append(bytes).append("\r\n");
}

}  // namespace

void AnswerStream::Ask(std::function<void(BodyPiece)> got) {
  asked_ = true;
  got_ = std::make_shared<std::function<void(BodyPiece)>>(std::move(got));
  source_->Next([weak = std::weak_ptr<std::function<void(BodyPiece)>>(got_)](BodyPiece piece) {
    const auto once = weak.lock();
    if (!once || !*once) return;
    std::exchange(*once, nullptr)(std::move(piece));
  });
}

AnswerStream::Outcome AnswerStream::Take(BodyPiece piece, std::string* wire) {
  asked_ = false;
  const bool last = piece.then == BodyPiece::Then::kLast;
  const uint64_t size = piece.bytes.size();
  if (piece.then == BodyPiece::Then::kFailed) return Outcome::kBroken;
  if (form_ == Form::kLength && (size > left_ || (last && size < left_))) return Outcome::kBroken;
  if (form_ == Form::kLength) left_ -= size;
  bytes_ += size;
  if (form_ == Form::kChunks) {
    if (size > 0) *wire = ChunkOf(piece.bytes);
    if (last) wire->append("0\r\n\r\n");
  } else {
    *wire = std::move(piece.bytes);
  }
  return last || (form_ == Form::kLength && left_ == 0) ? Outcome::kWhole : Outcome::kMore;
}

}  // namespace parley::gateway
