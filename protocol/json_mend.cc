#include "protocol/json_mend.h"

#include <algorithm>
#include <charconv>

#include "protocol/base/ascii.h"
#include "protocol/value.h"

namespace parley::protocol {
namespace {

// A number of JSON's grammar, taken apart.
struct Decimal {
  bool negative = false;
  std::string_view whole, fraction;
  int64_t exponent = 0;  // at most kExponentMost either way
};
constexpr int64_t kExponentMost = 1'000'000'000;

std::string_view TakeDigits(std::string_view* rest) {
  const auto end = std::find_if_not(rest->begin(), rest->end(), IsDigit);
  const auto size = static_cast<size_t>(end - rest->begin());
  const std::string_view digits = rest->substr(0, size);
  rest->remove_prefix(size);
  return digits;
}

bool Take(std::string_view* rest, std::string_view any_of) {
  if (rest->empty() || any_of.find(rest->front()) == std::string_view::npos) return false;
  rest->remove_prefix(1);
  return true;
}

bool TakeExponent(std::string_view* rest, int64_t* out) {
  if (!Take(rest, "eE")) return true;
  const bool negative = Take(rest, "-");
  if (!negative) Take(rest, "+");
  const std::string_view digits = TakeDigits(rest);
  for (const char c : digits) *out = std::min(*out * 10 + (c - '0'), kExponentMost);
  if (negative) *out = -*out;
  return !digits.empty();
}

std::optional<Decimal> ParseDecimal(std::string_view number) {
  Decimal out;
  out.negative = Take(&number, "-");
  out.whole = TakeDigits(&number);
  if (out.whole.empty() || (out.whole.size() > 1 && out.whole.front() == '0')) return std::nullopt;
  if (Take(&number, ".")) {
    out.fraction = TakeDigits(&number);
    if (out.fraction.empty()) return std::nullopt;
  }
  if (!TakeExponent(&number, &out.exponent) || !number.empty()) return std::nullopt;
  return out;
}

// Whether the library would turn it into an infinity.
bool IsBeyondDouble(std::string_view number) {
  const auto decimal = ParseDecimal(number);
  if (!decimal) return false;
  double value = 0;
  const auto read = std::from_chars(number.data(), number.data() + number.size(), value);
  if (read.ec != std::errc::result_out_of_range) return false;
  // Too large or too small; the position of the first digit decides.
  const std::string_view whole = decimal->whole;
  if (whole != "0") return static_cast<int64_t>(whole.size()) + decimal->exponent > 0;
  const size_t zeros = std::min(decimal->fraction.find_first_not_of('0'), decimal->fraction.size());
  return decimal->exponent - static_cast<int64_t>(zeros) > 0;
}

std::optional<uint32_t> UnitOf(std::string_view json, size_t at) {
  if (at + 6 > json.size() || json.substr(at, 2) != "\\u") return std::nullopt;
  uint32_t unit = 0;
  const char* const end = json.data() + at + 6;
  const auto read = std::from_chars(json.data() + at + 2, end, unit, 16);
  return read.ptr == end ? std::optional(unit) : std::nullopt;
}
bool IsHigh(std::optional<uint32_t> unit) {
  return unit && *unit >= 0xd800 && *unit < 0xdc00;
}
bool IsLow(std::optional<uint32_t> unit) {
  return unit && *unit >= 0xdc00 && *unit < 0xe000;
}

class Mender {
 public:
  explicit Mender(std::string_view json) : json_(json) {}

  std::optional<std::string> Mend() {
    while (at_ < json_.size()) {
      if (json_[at_] == '"') {
        SkipText();
      } else if (json_[at_] == '-' || IsDigit(json_[at_])) {
        SkipNumber();
      } else {
        ++at_;
      }
    }
    if (done_ == 0) return std::nullopt;
    out_.append(json_.substr(done_));
    return std::move(out_);
  }

 private:
  void Replace(size_t size, std::string_view with) {
    out_.append(json_.substr(done_, at_ - done_)).append(with);
    done_ = at_ += size;
  }

  void SkipText() {
    for (++at_; at_ < json_.size() && json_[at_] != '"';) {
      if (json_[at_] != '\\') {
        ++at_;
        continue;
      }
      const auto unit = UnitOf(json_, at_);
      if (IsHigh(unit) && IsLow(UnitOf(json_, at_ + 6))) {
        at_ += 12;
      } else if (IsHigh(unit) || IsLow(unit)) {
        Replace(6, "\\u0000" + std::string(json_.substr(at_ + 2, 4)));
      } else {
        at_ += 2;
      }
    }
    ++at_;
  }

  void SkipNumber() {
    size_t end = at_;
    while (end < json_.size() &&
           (IsDigit(json_[end]) || std::string_view("+-.eE").find(json_[end]) != std::string_view::npos))
      ++end;
    if (IsBeyondDouble(json_.substr(at_, end - at_))) return Replace(end - at_, "0.5");
    at_ = end;
  }

  const std::string_view json_;
  std::string out_;
  size_t at_ = 0;
  size_t done_ = 0;  // input up to here is copied to out_
};

}  // namespace

std::optional<std::string> MendJson(std::string_view json) {
  return Mender(json).Mend();
}

// The digits without zeros at either end, shifted by the exponent: an integer if no digit is right of the
// point.
std::optional<int64_t> SafeIntegerOf(std::string_view number) {
  const auto decimal = ParseDecimal(number);
  if (!decimal) return std::nullopt;
  std::string digits = std::string(decimal->whole) + std::string(decimal->fraction);
  int64_t exponent = decimal->exponent - static_cast<int64_t>(decimal->fraction.size());
  digits.erase(0, std::min(digits.find_first_not_of('0'), digits.size()));
  while (!digits.empty() && digits.back() == '0') {
    digits.pop_back();
    ++exponent;
  }
  constexpr int64_t kDigitsMost = 16;  // the digits of 2^53-1
  if (digits.empty()) return 0;
  if (exponent < 0 || static_cast<int64_t>(digits.size()) + exponent > kDigitsMost) return std::nullopt;
  digits.append(static_cast<size_t>(exponent), '0');
  int64_t value = 0;
  for (const char c : digits) value = value * 10 + (c - '0');
  if (value > kMaxSafeInteger) return std::nullopt;
  return decimal->negative ? -value : value;
}

}  // namespace parley::protocol
