#include "features/files/byte_range.h"

#include <algorithm>

#include "features/files/tus.h"

namespace parley::features {

RangeAnswer AnswerRange(std::string_view header, int64_t size) {
  const RangeAnswer whole{RangeKind::kWhole, {0, size}};
  constexpr std::string_view kUnit = "bytes=";
  if (!header.starts_with(kUnit)) return whole;
  header.remove_prefix(kUnit.size());
  const size_t dash = header.find('-');
  if (dash == std::string_view::npos) return whole;
  const std::string_view first = header.substr(0, dash), last = header.substr(dash + 1);
  const auto begin = ParseByteCount(first), end = ParseByteCount(last);
  if ((!first.empty() && !begin) || (!last.empty() && !end) || (first.empty() && last.empty())) return whole;
  if (begin && end && *end < *begin) return whole;
  ByteRange out;
  if (begin) {
    out = {*begin, end ? std::min(*end + 1, size) : size};
  } else {
    out = {std::max<int64_t>(size - *end, 0), size};
  }
  if (out.begin >= size || out.begin >= out.end) return {RangeKind::kUnsatisfiable, {}};
  return {RangeKind::kPart, out};
}

}  // namespace parley::features
