#include "protocol/base/name.h"

#include <unicode/uchar.h>
#include <unicode/unorm2.h>
#include <unicode/ustring.h>
#include <unicode/utf16.h>
#include <unicode/utf8.h>

#include <algorithm>
#include <vector>

namespace parley::protocol {
namespace {

using Characters = std::vector<UChar32>;

constexpr UChar32 kZwnj = 0x200c, kZwj = 0x200d, kMongolianSeparator = 0x180e, kBrailleBlank = 0x2800;
constexpr uint8_t kVirama = 9;  // its combining class
constexpr UChar32 kBlackFlag = 0x1f3f4, kFirstTag = 0xe0020, kEndOfTags = 0xe007f;

bool Has(UChar32 c, UProperty property) {
  return u_hasBinaryProperty(c, property);
}

bool IsSpace(UChar32 c) {
  return u_isUWhiteSpace(c) || c == kBrailleBlank;
}
// White space that would break the line, or that Unicode does not class as white space.
bool BecomesSpace(UChar32 c) {
  return IsSpace(c) && (u_iscntrl(c) || c == 0x2028 || c == 0x2029 || c == kBrailleBlank);
}

bool IsSelector(UChar32 c) {
  return Has(c, UCHAR_VARIATION_SELECTOR);
}

// Shows nothing in any position. Some numbers and hieroglyphs among the format characters are visible.
bool IsInvisible(UChar32 c) {
  return Has(c, UCHAR_DEFAULT_IGNORABLE_CODE_POINT) || u_charType(c) == U_CONTROL_CHAR ||
         Has(c, UCHAR_NONCHARACTER_CODE_POINT) || Has(c, UCHAR_BIDI_CONTROL) || (c >= 0xfff9 && c <= 0xfffb);
}

bool IsEmoji(UChar32 c) {
  return Has(c, UCHAR_EXTENDED_PICTOGRAPHIC) || Has(c, UCHAR_EMOJI_MODIFIER) ||
         Has(c, UCHAR_REGIONAL_INDICATOR);
}
bool IsOfWord(UChar32 c) {
  constexpr uint32_t kOfWords = U_GC_L_MASK | U_GC_M_MASK | U_GC_N_MASK;
  return (U_GET_GC_MASK(c) & kOfWords) != 0 && !IsInvisible(c);
}

Characters Read(std::string_view text) {
  Characters out;
  const auto size = static_cast<int32_t>(text.size());
  for (int32_t at = 0; at < size;) {
    UChar32 c = 0;
    U8_NEXT_OR_FFFD(text.data(), at, size, c);
    out.push_back(c);
  }
  return out;
}

// One pass over the characters: keeps, replaces or drops each by its neighbours.
class Cleaner {
 public:
  explicit Cleaner(const Characters& in) : in_(in) {}

  Characters Clean() {
    for (at_ = 0; at_ < in_.size(); ++at_) {
      const UChar32 c = in_[at_];
      if (BecomesSpace(c)) {
        out_.push_back(' ');
      } else if (c == kZwj || c == kZwnj || c == kMongolianSeparator) {
        if (Joins(c)) out_.push_back(c);
      } else if (IsSelector(c)) {
        if (!out_.empty() && !IsSpace(out_.back()) && !IsInvisible(out_.back())) out_.push_back(c);
      } else if (c >= kFirstTag && c <= kEndOfTags) {
        TakeTags();
      } else if (!IsInvisible(c)) {
        out_.push_back(c);
      }
    }
    return std::move(out_);
  }

 private:
  // Within a word, or within an emoji. A ZWJ after a virama makes a separate letter (a chillu), also at the
  // end of a word.
  bool Joins(UChar32 joiner) const {
    if (out_.empty()) return false;
    auto before = out_.end() - 1;
    if (IsSelector(*before) && before != out_.begin()) --before;
    const auto shows = [](UChar32 c) { return IsSpace(c) || !IsInvisible(c); };
    const auto behind = std::find_if(in_.begin() + static_cast<ptrdiff_t>(at_) + 1, in_.end(), shows);
    if (joiner == kZwj && EndsInVirama()) return true;
    if (behind == in_.end()) return false;
    return (IsOfWord(*before) && IsOfWord(*behind)) || (IsEmoji(*before) && IsEmoji(*behind));
  }

  // Searches the marks at the end, because NFC may still move others after the virama.
  bool EndsInVirama() const {
    for (auto at = out_.rbegin(); at != out_.rend(); ++at) {
      const uint8_t combining = u_getCombiningClass(*at);
      if (combining == kVirama) return true;
      if (combining == 0 && !IsSelector(*at)) return false;
    }
    return false;
  }

  // Reads all tags from here on, and keeps them if they make a flag.
  void TakeTags() {
    const auto first = in_.begin() + static_cast<ptrdiff_t>(at_);
    const auto end =
        std::find_if(first, in_.end(), [](UChar32 c) { return c < kFirstTag || c > kEndOfTags; });
    const auto last = std::find(first, end, kEndOfTags);
    const bool flag = !out_.empty() && out_.back() == kBlackFlag && last != end && last != first;
    if (flag) out_.insert(out_.end(), first, last + 1);
    at_ += static_cast<size_t>(end - first) - 1;
  }

  const Characters& in_;
  Characters out_;
  size_t at_ = 0;
};

std::string Utf8(const std::vector<UChar>& text, int32_t size) {
  std::string out(static_cast<size_t>(size) * 3, '\0');
  int32_t written = 0;
  UErrorCode error = U_ZERO_ERROR;
  u_strToUTF8(out.data(), static_cast<int32_t>(out.size()), &written, text.data(), size, &error);
  out.resize(U_SUCCESS(error) ? static_cast<size_t>(written) : 0);
  return out;
}

std::string Composed(const Characters& text) {
  std::vector<UChar> utf16;
  for (const UChar32 c : text) {
    if (U16_LENGTH(c) == 2) {
      utf16.push_back(U16_LEAD(c));
      utf16.push_back(U16_TRAIL(c));
    } else {
      utf16.push_back(static_cast<UChar>(c));
    }
  }
  constexpr size_t kGrowthMost = 3;  // NFC's growth of UTF-16
  std::vector<UChar> composed(utf16.size() * kGrowthMost + 1);
  UErrorCode error = U_ZERO_ERROR;
  const int32_t size =
      unorm2_normalize(unorm2_getNFCInstance(&error), utf16.data(), static_cast<int32_t>(utf16.size()),
                       composed.data(), static_cast<int32_t>(composed.size()), &error);
  return U_SUCCESS(error) ? Utf8(composed, size) : std::string();
}

bool IsPlain(std::string_view text) {
  return std::all_of(text.begin(), text.end(), [](char c) { return c >= ' ' && c < 0x7f; });
}

std::string_view TrimAscii(std::string_view text) {
  const size_t first = text.find_first_not_of(' ');
  if (first == std::string_view::npos) return {};
  return text.substr(first, text.find_last_not_of(' ') - first + 1);
}

}  // namespace

std::string CleanName(std::string_view text) {
  if (IsPlain(text)) return std::string(TrimAscii(text));
  const Characters read = Read(text);
  Characters clean = Cleaner(read).Clean();
  const auto shows = [](UChar32 c) { return !IsSpace(c); };
  clean.erase(std::find_if(clean.rbegin(), clean.rend(), shows).base(), clean.end());
  clean.erase(clean.begin(), std::find_if(clean.begin(), clean.end(), shows));
  return Composed(clean);
}

std::optional<std::string> CleanTitle(const std::optional<std::string_view>& given) {
  std::string name = given ? CleanName(*given) : std::string();
  return name.empty() ? std::nullopt : std::optional(std::move(name));
}

}  // namespace parley::protocol
