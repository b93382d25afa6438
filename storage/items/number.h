// DynamoDB's number: an exact decimal of up to 38 significant digits, from 1E-130 to 9.9…9E+125 and the same
// below zero (Amazon DynamoDB Developer Guide, "Data types"). Never a double.
//
// Thread-safe as a value.
#pragma once

#include <array>
#include <compare>
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>

namespace parley::storage {

enum class NumberFault : uint8_t {
  kNone,
  kNotANumber,
  kTooManyDigits,  // more than 38 significant digits: rejected, never rounded
  kOverflow,       // magnitude of 1E126 or more
  kUnderflow,      // magnitude below 1E-130, and not 0
};

class Number {
 public:
  static constexpr int kDigitsMax = 38;
  static constexpr size_t kTextBytesMax = 512;  // longer input is rejected unread

  Number() = default;  // 0
  static Number Of(int64_t value);
  // An optional sign, digits with at most one point, an optional exponent: "-12.5e3". No spaces.
  static NumberFault Parse(std::string_view text, Number* out);
  // REQUIRES: a number. For constants and tests.
  static Number Must(std::string_view text);

  // Plain digits, without an exponent and without redundant zeros: "-12500", "0.001".
  std::string ToText() const;
  std::optional<int64_t> ToInt64() const;  // nullopt: not an integer, or too large

  static NumberFault Add(const Number& a, const Number& b, Number* out);
  static NumberFault Subtract(const Number& a, const Number& b, Number* out);
  Number Negated() const;
  int digit_count() const { return count_; }  // significant ones; 0 has none
  bool is_zero() const { return sign_ == 0; }

  // By value. Each number has one form, so equality is equality of value.
  friend std::strong_ordering operator<=>(const Number& a, const Number& b);
  friend bool operator==(const Number& a, const Number& b) { return (a <=> b) == 0; }

  // Order-preserving and self-terminating bytes (storage/FORMAT.md, "Items"); also the stored form.
  void AppendKey(std::string* out) const;
  // Takes one from the front of *bytes; returns false if it is invalid.
  static bool TakeKey(std::string_view* bytes, Number* out);

 private:
  static NumberFault Make(int sign, const std::string& digits, int exponent, Number* out);

  // value = sign × 0.d1d2…dn × 10^exponent, d1 and dn not zero.
  int8_t sign_ = 0;
  uint8_t count_ = 0;
  int16_t exponent_ = 0;
  std::array<uint8_t, kDigitsMax> digits_{};
};

}  // namespace parley::storage
