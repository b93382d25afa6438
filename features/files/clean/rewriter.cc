#include "features/files/clean/rewriter.h"

#include <algorithm>

namespace parley::features::clean {
namespace {

constexpr size_t kBufferBytes = size_t{64} << 10;

bool IsZero(std::string_view bytes) {
  return bytes.find_first_not_of('\0') == std::string_view::npos;
}

}  // namespace

protocol::Status Rewriter::KeepTo(int64_t end) {
  if (!MayMoveTo(end)) return CannotBeCleaned();
  at_ = end;
  return protocol::Ok();
}

protocol::Status Rewriter::DropTo(int64_t end) {
  if (!MayMoveTo(end)) return CannotBeCleaned();
  if (end == at_) return protocol::Ok();
  PARLEY_CHECK_OK(Change());
  at_ = kept_ = end;
  return protocol::Ok();
}

protocol::Status Rewriter::ZeroTo(int64_t end) {
  if (!MayMoveTo(end)) return CannotBeCleaned();
  while (at_ < end) {
    const auto size = static_cast<size_t>(std::min<int64_t>(end - at_, Input::kWindow));
    PARLEY_TRY(bytes, in_.Bytes(at_, size));
    if (IsZero(bytes)) {
      at_ += static_cast<int64_t>(size);
      continue;
    }
    PARLEY_CHECK_OK(Change());
    PARLEY_CHECK_OK(Write(std::string(size, '\0')));
    at_ = kept_ = at_ + static_cast<int64_t>(size);
  }
  return protocol::Ok();
}

protocol::Status Rewriter::ReplaceTo(int64_t end, std::string_view bytes) {
  if (!MayMoveTo(end)) return CannotBeCleaned();
  if (end - at_ == static_cast<int64_t>(bytes.size())) {
    PARLEY_TRY(old, in_.Bytes(at_, bytes.size()));
    if (old == bytes) return KeepTo(end);
  }
  PARLEY_CHECK_OK(DropTo(end));
  return Put(bytes);
}

protocol::Status Rewriter::Put(std::string_view bytes) {
  if (bytes.empty()) return protocol::Ok();
  PARLEY_CHECK_OK(Change());
  return Write(bytes);
}

protocol::Status Rewriter::Change() {
  changed_ = true;
  return Flush();
}

protocol::Status Rewriter::Flush() {
  if (out_ == nullptr) {
    size_ += at_ - kept_;
    kept_ = at_;
  }
  while (kept_ < at_) {
    PARLEY_TRY(some, in_.Some(kept_));
    const std::string_view bytes = some.substr(0, static_cast<size_t>(at_ - kept_));
    PARLEY_CHECK_OK(Write(bytes));
    kept_ += static_cast<int64_t>(bytes.size());
  }
  return protocol::Ok();
}

protocol::Status Rewriter::Write(std::string_view bytes) {
  size_ += static_cast<int64_t>(bytes.size());
  if (out_ == nullptr) return protocol::Ok();
  buffer_ += bytes;
  if (buffer_.size() < kBufferBytes) return protocol::Ok();
  PARLEY_CHECK_OK(out_->Append(buffer_));
  buffer_.clear();
  return protocol::Ok();
}

protocol::Result<bool> Rewriter::Finish() {
  PARLEY_CHECK_OK(KeepTo(in_.size()));
  if (!changed_) {
    size_ = in_.size();
    return false;
  }
  PARLEY_CHECK_OK(Flush());
  if (out_ != nullptr && !buffer_.empty()) PARLEY_CHECK_OK(out_->Append(buffer_));
  return true;
}

}  // namespace parley::features::clean
