#include "threads/text/folded_name.h"

#include <unicode/bytestream.h>
#include <unicode/normalizer2.h>
#include <unicode/unistr.h>
#include <unicode/utf8.h>

#include <algorithm>
#include <new>

#include "protocol/base/ascii.h"

namespace parley::threads::text {
namespace {

bool IsAscii(std::string_view text) {
  return std::all_of(text.begin(), text.end(), [](char c) { return static_cast<unsigned char>(c) < 0x80; });
}

// NFKC and case folded, without invisible characters.
std::string CaseFolded(std::string_view name) {
  UErrorCode status = U_ZERO_ERROR;
  const icu::Normalizer2* folder = icu::Normalizer2::getNFKCCasefoldInstance(status);
  if (U_FAILURE(status)) throw std::bad_alloc();  // cannot fail, since ICU includes it
  std::string out;
  icu::StringByteSink<std::string> sink(&out);
  const auto text =
      icu::UnicodeString::fromUTF8(icu::StringPiece(name.data(), static_cast<int32_t>(name.size())));
  std::string sound;
  text.toUTF8String(sound);  // replaces invalid bytes
  folder->normalizeUTF8(0, sound, sink, nullptr, status);
  if (U_FAILURE(status)) throw std::bad_alloc();
  return out;
}

// NFKC turns most white space into spaces; this covers the rest.
std::string_view Trimmed(std::string_view text) {
  constexpr std::string_view kSpaces = " \t\n\v\f\r";
  const size_t begin = text.find_first_not_of(kSpaces);
  if (begin == std::string_view::npos) return {};
  return text.substr(begin, text.find_last_not_of(kSpaces) - begin + 1);
}

}  // namespace

std::string FoldedName(std::string_view name) {
  if (!IsAscii(name)) return std::string(Trimmed(CaseFolded(name)));
  std::string out(Trimmed(name));
  for (char& c : out) c = protocol::LowerOf(c);
  return out;
}

}  // namespace parley::threads::text
