#include "threads/text/fold.h"

#include <unicode/uchar.h>
#include <unicode/unorm2.h>
#include <unicode/uspoof.h>
#include <unicode/utf16.h>
#include <unicode/utf8.h>

#include <array>
#include <atomic>
#include <memory>

#include "protocol/base/ascii.h"

namespace parley::threads::text {
namespace {

// One folded character: usually one place, several for a ligature, none for a mark.
struct Folded {
  static constexpr size_t kPlacesMax = 3;
  struct Place {
    char32_t readings[Unit::kReadingsMax] = {};
    uint8_t count = 0;
    char mark = 0;
  };
  Place places[kPlacesMax];
  uint8_t count = 0;
};

void Read(char32_t c, Folded::Place* place) {
  for (uint8_t i = 0; i < place->count; ++i) {
    if (place->readings[i] == c) return;
  }
  if (place->count < Unit::kReadingsMax) place->readings[place->count++] = c;
}

struct Disguise {
  char written;
  const char* read;
};
// Digits and signs that disguise letters. '*' and '#' may represent any letter, which the matching handles.
constexpr Disguise kDisguises[] = {{'0', "o"},  {'1', "il"}, {'3', "e"}, {'4', "a"}, {'5', "s"},
                                   {'7', "t"},  {'8', "b"},  {'9', "g"}, {'$', "s"}, {'@', "a"},
                                   {'!', "il"}, {'|', "li"}, {'+', "t"}};

Folded::Place OfAscii(char c) {
  Folded::Place place;
  const bool like_l = c == 'I';
  if (c >= 'A' && c <= 'Z') c = static_cast<char>(c - 'A' + 'a');
  const bool word = (c >= 'a' && c <= 'z') || (c >= '0' && c <= '9');
  if (word) {
    Read(static_cast<char32_t>(c), &place);
  } else {
    const bool control = static_cast<unsigned char>(c) < ' ' || c == 0x7f;
    place.mark = c == '\n' || c == '\r' ? '\n' : control ? ' ' : c;
  }
  if (like_l) Read(U'l', &place);
  for (const Disguise& one : kDisguises) {
    if (one.written != c) continue;
    for (const char* read = one.read; *read != 0; ++read) Read(static_cast<char32_t>(*read), &place);
  }
  return place;
}

// Adds the ASCII letter or digit that the character looks like. Unicode's confusables have "l" for I, 1 and
// l, "O" for 0, and "rn" for m.
void ReadLookalike(char32_t c, Folded::Place* place) {
  static const USpoofChecker* const checker = [] {
    UErrorCode error = U_ZERO_ERROR;
    const USpoofChecker* made = uspoof_open(&error);
    return U_SUCCESS(error) ? made : nullptr;
  }();
  if (!checker) return;
  UChar in[2], out[16];
  int32_t size = 0;
  UErrorCode error = U_ZERO_ERROR;
  U16_APPEND_UNSAFE(in, size, static_cast<UChar32>(c));
  const int32_t got = uspoof_getSkeleton(checker, 0, in, size, out, 16, &error);
  if (!U_SUCCESS(error) || got < 1) return;
  if (got == 2 && out[0] == 'r' && out[1] == 'n') return Read('m', place);
  const UChar32 one = u_tolower(out[0]);
  if (got != 1 || one > 0x7f || !u_isalnum(one)) return;
  Read(static_cast<char32_t>(one), place);
  if (one == 'l') Read('i', place);
  if (one == 'o') Read('0', place);
}

// Letters in boxes and circles, and the halves of flags, which Unicode does not classify as letters.
char32_t Boxed(char32_t c) {
  for (const char32_t first : {0x1f150u, 0x1f170u, 0x1f1e6u}) {
    if (c >= first && c < first + 26) return U'a' + (c - first);
  }
  return 0;
}

char MarkOf(char32_t c) {
  const auto type = u_charType(static_cast<UChar32>(c));
  if (type == U_SPACE_SEPARATOR) return ' ';
  if (type == U_LINE_SEPARATOR || type == U_PARAGRAPH_SEPARATOR) return '\n';
  if (type == U_DASH_PUNCTUATION || c == 0x2212) return '-';
  if (c == 0xb7 || c == 0x2022 || c == 0x3002 || c == 0x2219 || c == 0x22c5) return '.';
  return Unit::kOther;
}

bool IsLeftOut(char32_t c) {
  const auto type = u_charType(static_cast<UChar32>(c));
  return type == U_NON_SPACING_MARK || type == U_ENCLOSING_MARK || type == U_FORMAT_CHAR ||
         u_hasBinaryProperty(static_cast<UChar32>(c), UCHAR_DEFAULT_IGNORABLE_CODE_POINT);
}

Folded::Place OfPart(char32_t part, char32_t whole) {
  if (part < 0x80) return OfAscii(static_cast<char>(part));
  Folded::Place place;
  if (const int digit = u_charDigitValue(static_cast<UChar32>(part)); digit >= 0)
    return OfAscii(static_cast<char>('0' + digit));
  if (!u_isalnum(static_cast<UChar32>(part))) {
    place.mark = MarkOf(part);
    return place;
  }
  Read(part, &place);
  ReadLookalike(part, &place);
  ReadLookalike(whole, &place);
  return place;
}

Folded FoldOne(char32_t c) {
  Folded out;
  if (IsLeftOut(c)) return out;
  if (const char32_t boxed = Boxed(c)) {
    out.places[out.count++] = OfAscii(static_cast<char>(boxed));
    return out;
  }
  UErrorCode error = U_ZERO_ERROR;
  static const UNormalizer2* const fold = unorm2_getNFKCCasefoldInstance(&error);
  static const UNormalizer2* const split = unorm2_getNFDInstance(&error);
  UChar in[2], folded[32], parts[64];
  int32_t size = 0;
  U16_APPEND_UNSAFE(in, size, static_cast<UChar32>(c));
  size = unorm2_normalize(fold, in, size, folded, 32, &error);
  size = U_SUCCESS(error) ? unorm2_normalize(split, folded, size, parts, 64, &error) : 0;
  if (U_FAILURE(error)) size = 0;
  for (int32_t i = 0; i < size && out.count < Folded::kPlacesMax;) {
    UChar32 part = 0;
    U16_NEXT(parts, i, size, part);
    if (IsLeftOut(static_cast<char32_t>(part))) continue;
    out.places[out.count++] = OfPart(static_cast<char32_t>(part), c);
  }
  if (size == 0) out.places[out.count++].mark = Unit::kOther;
  return out;
}

// Whether the character belongs to a script with many characters, none of which looks like a Latin letter.
bool IsPlain(char32_t c) {
  return (c >= 0x3400 && c < 0xa000) || (c >= 0xac00 && c < 0xd7a4) || (c >= 0x20000 && c < 0x30000);
}

// The folded characters of a page of 256. At most some 350 pages of 15 KB exist: those of the characters that
// have occurred.
using Page = std::array<Folded, 256>;

const Page& PageOf(char32_t c) {
  static std::array<std::atomic<const Page*>, 0x200> pages{};
  std::atomic<const Page*>& slot = pages[c >> 8];
  if (const Page* page = slot.load(std::memory_order_acquire)) return *page;
  auto made = std::make_unique<Page>();
  for (char32_t i = 0; i < 256; ++i) {
    const char32_t one = (c & ~char32_t{0xff}) + i;
    const bool surrogate = one >= 0xd800 && one < 0xe000;
    if (!surrogate) (*made)[i] = FoldOne(one);
  }
  const Page* expected = nullptr;
  if (slot.compare_exchange_strong(expected, made.get(), std::memory_order_acq_rel)) return *made.release();
  return *expected;  // another thread was first
}

void Append(const Folded::Place& place, bool upper, uint32_t begin, uint32_t end, std::vector<Unit>* out) {
  Unit& unit = out->emplace_back();
  std::copy(std::begin(place.readings), std::end(place.readings), unit.readings);
  unit.count = place.count;
  unit.mark = place.mark;
  unit.upper = upper;
  unit.begin = begin;
  unit.end = end;
}

const Folded::Place* AsciiPlaces() {
  static const auto places = [] {
    std::array<Folded::Place, 128> all;
    for (size_t i = 0; i < 128; ++i) all[i] = OfAscii(static_cast<char>(i));
    return all;
  }();
  return places.data();
}

void FoldCharacter(char32_t c, uint32_t begin, uint32_t end, std::vector<Unit>* out) {
  if (c >= 0xe0000 && c < 0xe1000) return;  // tags and variation selectors, which are invisible
  Folded::Place plain;
  if (IsPlain(c)) {
    Read(c, &plain);
    return Append(plain, false, begin, end, out);
  }
  if (c >= 0x20000) {
    plain.mark = Unit::kOther;
    return Append(plain, false, begin, end, out);
  }
  const Folded& folded = PageOf(c)[c & 0xff];
  for (uint8_t i = 0; i < folded.count; ++i)
    Append(folded.places[i], u_isupper(static_cast<UChar32>(c)), begin, end, out);
}

// A spelt-out character, decoded as by renderers of Markdown and browsers.
struct Spelt {
  UChar32 c = 0;
  int32_t bytes = 0;  // 0: no such character here
};

// Decodes "%70" in the target of a link.
Spelt EscapeAt(std::string_view text, size_t at) {
  if (at + 2 >= text.size()) return {};
  const int high = protocol::HexDigitOf(text[at + 1]), low = protocol::HexDigitOf(text[at + 2]);
  if (high < 0 || low < 0) return {};
  const int c = high * 16 + low;
  const bool of_hosts =
      c == '.' || c == '-' || (c >= '0' && c <= '9') || (c >= 'A' && c <= 'Z') || (c >= 'a' && c <= 'z');
  return of_hosts ? Spelt{c, 3} : Spelt{};
}

// Decodes "&#112;", "&#x70;", "&commat;".
Spelt EntityAt(std::string_view text, size_t at) {
  constexpr size_t kLongest = 17;
  static constexpr std::pair<std::string_view, UChar32> kNamed[] = {
      {"commat", '@'}, {"period", '.'},  {"sol", '/'},    {"colon", ':'},      {"lowbar", '_'},
      {"plus", '+'},   {"dollar", '$'},  {"ast", '*'},    {"nbsp", 0xa0},      {"shy", 0xad},
      {"zwj", 0x200d}, {"zwnj", 0x200c}, {"hyphen", '-'}, {"NoBreak", 0x2060}, {"ZeroWidthSpace", 0x200b}};
  const size_t semicolon = text.substr(at, kLongest).find(';');
  if (semicolon == std::string_view::npos || semicolon < 3) return {};
  std::string_view name = text.substr(at + 1, semicolon - 1);
  const auto bytes = static_cast<int32_t>(semicolon + 1);
  if (name.front() != '#') {
    for (const auto& [known, c] : kNamed) {
      if (name == known) return {c, bytes};
    }
    return {};
  }
  name.remove_prefix(1);
  const bool hex = name.front() == 'x' || name.front() == 'X';
  if (hex) name.remove_prefix(1);
  UChar32 c = 0;
  for (const char digit : name) {
    const int value = protocol::HexDigitOf(digit);
    if (value < 0 || (!hex && value > 9) || c > 0x10ffff) return {};
    c = c * (hex ? 16 : 10) + value;
  }
  const bool is = !name.empty() && c > 0 && c <= 0x10ffff && !(c >= 0xd800 && c < 0xe000);
  return is ? Spelt{c, bytes} : Spelt{};
}

}  // namespace

void Fold(std::string_view text, std::vector<Unit>* out) {
  static const Folded::Place* const ascii = AsciiPlaces();
  out->clear();
  out->reserve(text.size());
  const auto* bytes = reinterpret_cast<const uint8_t*>(text.data());
  const auto size = static_cast<int32_t>(text.size());
  for (int32_t i = 0; i < size;) {
    const auto begin = static_cast<uint32_t>(i);
    UChar32 c = bytes[i];
    if (c == '&' || c == '%') {
      const auto at = static_cast<size_t>(i);
      const Spelt spelt = c == '&' ? EntityAt(text, at) : EscapeAt(text, at);
      if (spelt.bytes > 0) {
        i += spelt.bytes;
        const auto end = static_cast<uint32_t>(i);
        if (spelt.c < 0x80) {
          Append(ascii[spelt.c], spelt.c >= 'A' && spelt.c <= 'Z', begin, end, out);
        } else {
          FoldCharacter(static_cast<char32_t>(spelt.c), begin, end, out);
        }
        continue;
      }
    }
    if (c < 0x80) {
      ++i;
      Append(ascii[c], c >= 'A' && c <= 'Z', begin, begin + 1, out);
      continue;
    }
    U8_NEXT(bytes, i, size, c);
    if (c < 0) c = 0xfffd;
    FoldCharacter(static_cast<char32_t>(c), begin, static_cast<uint32_t>(i), out);
  }
  for (size_t i = 0; i < out->size(); ++i) {
    const bool before = i > 0 && (*out)[i - 1].is_word();
    const bool after = i + 1 < out->size() && (*out)[i + 1].is_word();
    (*out)[i].alone = !before && !after;
  }
}

}  // namespace parley::threads::text
