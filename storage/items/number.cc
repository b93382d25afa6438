#include "storage/items/number.h"

#include <algorithm>
#include <cstdlib>

#include "protocol/base/ascii.h"

namespace parley::storage {
namespace {

constexpr int kExponentMax = 126;   // in 0.d1d2…: 9.99E+125
constexpr int kExponentMin = -129;  // 1E-130 = 0.1E-129
constexpr int kWrittenExponentMax = 100'000;
constexpr int kKeyBias = 256;
constexpr char kNegative = 0x7f, kZero = static_cast<char>(0x80), kPositive = static_cast<char>(0x81);

using protocol::IsDigit;

// Parses the text after the "e": an optional sign, and digits up to those of a number of 64 bits. Far outside
// of the range the value is not exact.
bool ParseExponent(std::string_view text, int* out) {
  constexpr std::string_view kLongest = "9223372036854775807";
  const bool negative = text.starts_with('-');
  if (negative || text.starts_with('+')) text.remove_prefix(1);
  if (text.empty() || !std::all_of(text.begin(), text.end(), IsDigit)) return false;
  text.remove_prefix(std::min(text.find_first_not_of('0'), text.size()));
  if (text.size() > kLongest.size() || (text.size() == kLongest.size() && text > kLongest)) return false;
  int written = 0;
  for (const char c : text) written = std::min(written * 10 + (c - '0'), kWrittenExponentMax);
  *out = negative ? -written : written;
  return true;
}

// The digits of |a| + |b|, both least significant digit last and of the same scale.
std::string AddDigits(const std::string& a, const std::string& b) {
  std::string out(a.size() + 1, 0);
  int carry = 0;
  for (size_t i = a.size(); i-- > 0;) {
    const int sum = a[i] + b[i] + carry;
    out[i + 1] = static_cast<char>(sum % 10);
    carry = sum / 10;
  }
  out[0] = static_cast<char>(carry);
  return out;
}

// REQUIRES: a >= b.
std::string SubtractDigits(const std::string& a, const std::string& b) {
  std::string out(a.size() + 1, 0);
  int borrow = 0;
  for (size_t i = a.size(); i-- > 0;) {
    int left = a[i] - b[i] - borrow;
    borrow = left < 0 ? 1 : 0;
    if (left < 0) left += 10;
    out[i + 1] = static_cast<char>(left);
  }
  return out;
}

}  // namespace

// `digits` are values 0 to 9 with the point before the first; zeros at either end are ignored.
NumberFault Number::Make(int sign, const std::string& digits, int exponent, Number* out) {
  const auto is_nonzero = [](char d) { return d != 0; };
  const auto first = std::find_if(digits.begin(), digits.end(), is_nonzero);
  if (first == digits.end()) {
    *out = {};
    return NumberFault::kNone;
  }
  const auto last = std::find_if(digits.rbegin(), digits.rend(), is_nonzero).base();
  const auto count = last - first;
  exponent -= static_cast<int>(first - digits.begin());
  if (exponent > kExponentMax) return NumberFault::kOverflow;
  if (exponent < kExponentMin) return NumberFault::kUnderflow;
  if (count > kDigitsMax) return NumberFault::kTooManyDigits;
  Number made;
  made.sign_ = static_cast<int8_t>(sign);
  made.count_ = static_cast<uint8_t>(count);
  made.exponent_ = static_cast<int16_t>(exponent);
  std::copy(first, last, made.digits_.begin());
  *out = made;
  return NumberFault::kNone;
}

NumberFault Number::Parse(std::string_view text, Number* out) {
  if (text.size() > kTextBytesMax) return NumberFault::kNotANumber;
  size_t at = 0;
  int sign = 1;
  if (at < text.size() && (text[at] == '-' || text[at] == '+')) sign = text[at++] == '-' ? -1 : 1;
  std::string digits;
  int exponent = 0, fraction = 0;
  bool point = false;
  for (; at < text.size() && (IsDigit(text[at]) || (text[at] == '.' && !point)); ++at) {
    if (text[at] == '.') {
      point = true;
      continue;
    }
    digits += static_cast<char>(text[at] - '0');
    ++(point ? fraction : exponent);
  }
  if (digits.empty()) return NumberFault::kNotANumber;
  int written = 0;
  if (at < text.size() && (text[at] == 'e' || text[at] == 'E')) {
    if (!ParseExponent(text.substr(at + 1), &written)) return NumberFault::kNotANumber;
    at = text.size();
  }
  if (at != text.size()) return NumberFault::kNotANumber;
  // The exponent of a zero must be in range, too, although a zero has no magnitude.
  const bool is_zero = digits.find_first_not_of('\0') == std::string::npos;
  if (is_zero && written - fraction >= kExponentMax) return NumberFault::kOverflow;
  if (is_zero && written - fraction < kExponentMin - 1) return NumberFault::kUnderflow;
  return Make(sign, digits, exponent + written, out);
}

Number Number::Must(std::string_view text) {
  Number out;
  if (Parse(text, &out) != NumberFault::kNone) std::abort();
  return out;
}

Number Number::Of(int64_t value) {
  return Must(std::to_string(value));
}

std::string Number::ToText() const {
  if (is_zero()) return "0";
  std::string out = sign_ < 0 ? "-" : "";
  if (exponent_ <= 0) out.append("0.").append(static_cast<size_t>(-exponent_), '0');
  for (int i = 0; i < count_; ++i) {
    if (i > 0 && i == exponent_) out += '.';
    out += static_cast<char>('0' + digits_[static_cast<size_t>(i)]);
  }
  if (exponent_ > count_) out.append(static_cast<size_t>(exponent_ - count_), '0');
  return out;
}

std::optional<int64_t> Number::ToInt64() const {
  if (is_zero()) return 0;
  if (exponent_ < count_ || exponent_ > 19) return std::nullopt;
  int64_t value = 0;
  for (int i = 0; i < exponent_; ++i) {
    const int digit = i < count_ ? digits_[static_cast<size_t>(i)] : 0;
    if (__builtin_mul_overflow(value, 10, &value) || __builtin_add_overflow(value, sign_ * digit, &value))
      return std::nullopt;
  }
  return value;
}

Number Number::Negated() const {
  Number out = *this;
  out.sign_ = static_cast<int8_t>(-sign_);
  return out;
}

NumberFault Number::Add(const Number& a, const Number& b, Number* out) {
  if (a.is_zero() || b.is_zero()) {
    *out = a.is_zero() ? b : a;
    return NumberFault::kNone;
  }
  const int top = std::max(a.exponent_, b.exponent_);
  const int bottom = std::min(a.exponent_ - a.count_, b.exponent_ - b.count_);
  const auto spread = [&](const Number& n) {
    std::string digits(static_cast<size_t>(top - bottom), 0);  // at most 255 + 38
    std::copy(n.digits_.begin(), n.digits_.begin() + n.count_, digits.begin() + (top - n.exponent_));
    return digits;
  };
  const std::string left = spread(a), right = spread(b);
  if (a.sign_ == b.sign_) return Make(a.sign_, AddDigits(left, right), top + 1, out);
  return left >= right ? Make(a.sign_, SubtractDigits(left, right), top + 1, out)
                       : Make(b.sign_, SubtractDigits(right, left), top + 1, out);
}

NumberFault Number::Subtract(const Number& a, const Number& b, Number* out) {
  return Add(a, b.Negated(), out);
}

std::strong_ordering operator<=>(const Number& a, const Number& b) {
  if (a.sign_ != b.sign_ || a.is_zero()) return a.sign_ <=> b.sign_;
  const Number& low = a.sign_ > 0 ? a : b;
  const Number& high = a.sign_ > 0 ? b : a;
  if (low.exponent_ != high.exponent_) return low.exponent_ <=> high.exponent_;
  return low.digits_ <=> high.digits_;  // unused digits are 0, the least
}

void Number::AppendKey(std::string* out) const {
  if (is_zero()) {
    *out += kZero;
    return;
  }
  const auto flip = static_cast<unsigned char>(sign_ < 0 ? 0xff : 0);
  const auto append = [&](int byte) { *out += static_cast<char>(byte ^ flip); };
  *out += sign_ < 0 ? kNegative : kPositive;
  append((exponent_ + kKeyBias) >> 8);
  append((exponent_ + kKeyBias) & 0xff);
  for (size_t i = 0; i < count_; i += 2) append(digits_[i] * 10 + (i + 1 < count_ ? digits_[i + 1] : 0) + 1);
  append(0);
}

bool Number::TakeKey(std::string_view* bytes, Number* out) {
  if (bytes->empty()) return false;
  const char head = bytes->front();
  bytes->remove_prefix(1);
  if (head == kZero) {
    *out = {};
    return true;
  }
  if ((head != kNegative && head != kPositive) || bytes->size() < 4) return false;
  const unsigned flip = head == kNegative ? 0xff : 0;
  const auto byte = [&](size_t i) { return static_cast<unsigned char>((*bytes)[i]) ^ flip; };
  const int exponent = static_cast<int>(byte(0) << 8 | byte(1)) - kKeyBias;
  std::string digits;
  size_t at = 2;
  for (; at < bytes->size() && byte(at) != 0; ++at) {
    const unsigned pair = byte(at) - 1;
    if (pair > 99 || digits.size() >= kDigitsMax) return false;
    digits += static_cast<char>(pair / 10);
    digits += static_cast<char>(pair % 10);
  }
  if (at == bytes->size() || digits.empty() || digits[0] == 0) return false;
  bytes->remove_prefix(at + 1);
  return Make(head == kNegative ? -1 : 1, digits, exponent, out) == NumberFault::kNone;
}

}  // namespace parley::storage
