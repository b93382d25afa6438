// Text that may appear in a key: it contains no U+0000, which terminates text there (storage/FORMAT.md).
// storage::KeyWriter accepts only this type, and only this check creates it, so client input cannot reach a
// key unchecked.
#pragma once

#include <compare>
#include <concepts>
#include <optional>
#include <string>
#include <string_view>
#include <utility>

namespace parley::protocol {

class KeyText {
 public:
  KeyText() = default;
  // A C string ends at its first NUL, so it cannot contain one.
  KeyText(const char* c_string) : text_(c_string) {}  // NOLINT: implicit by design

  // Returns nullopt if the text contains a NUL.
  static std::optional<KeyText> From(std::string_view text) {
    if (text.find('\0') != std::string_view::npos) return std::nullopt;
    return UpToNul(text);
  }
  // Returns the text up to its first NUL; for text that is known to contain none, such as a part of a stored
  // key.
  static KeyText UpToNul(std::string_view text) {
    KeyText out;
    out.text_ = text.substr(0, text.find('\0'));
    return out;
  }

  const std::string& text() const { return text_; }
  operator const std::string&() const { return text_; }  // NOLINT
  operator std::string_view() const { return text_; }    // NOLINT
  bool empty() const { return text_.empty(); }
  size_t size() const { return text_.size(); }

  friend auto operator<=>(const KeyText&, const KeyText&) = default;
  friend bool operator==(const KeyText&, const KeyText&) = default;
  // Compares with any other type that converts to text; the operator above compares two KeyTexts.
  template <class T>
  requires(std::convertible_to<const T&, std::string_view> && !std::same_as<T, KeyText>) friend bool
  operator==(const KeyText& a, const T& b) {
    return a.text_ == std::string_view(b);
  }
  // The concatenation is plain text, not a KeyText.
  friend std::string operator+(std::string a, const KeyText& b) { return std::move(a) + b.text_; }
  friend std::string operator+(const KeyText& a, std::string_view b) { return a.text_ + std::string(b); }
  template <class Stream>
  requires requires(Stream& stream, const std::string& text) { stream << text; }
  friend Stream& operator<<(Stream& out, const KeyText& text) {
    out << text.text_;
    return out;
  }

 private:
  std::string text_;
};

}  // namespace parley::protocol
