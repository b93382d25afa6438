#include <algorithm>
#include <cctype>

#include "tests/levels/source_tokens.h"

namespace parley::levels {
namespace {

bool IsWordPart(char c) {
  return std::isalnum(static_cast<unsigned char>(c)) || c == '_';
}

class Tokenizer {
 public:
  explicit Tokenizer(std::string_view source) : source_(source) {}

  std::vector<Token> Run() {
    while (at_ < source_.size()) Step();
    return std::move(tokens_);
  }

 private:
  void Step() {
    const char c = source_[at_];
    if (std::isspace(static_cast<unsigned char>(c))) return Skip(1);
    if (Begins("//")) return Skip(LineEnd() - at_);
    if (Begins("/*")) return Skip(After("*/", at_ + 2) - at_);
    if (c == '#') return Directive();
    if (Begins("R\"")) return RawString();
    if (c == '"' || c == '\'') return Quoted(c);
    if (IsWordPart(c)) return Word();
    Add(Begins("::") ? "::" : std::string(1, c), Begins("::") ? 2 : 1);
  }

  bool Begins(std::string_view text) const { return source_.substr(at_).starts_with(text); }

  size_t After(std::string_view text, size_t from) const {
    const size_t found = source_.find(text, from);
    return found == std::string_view::npos ? source_.size() : found + text.size();
  }

  size_t LineEnd() const { return std::min(source_.find('\n', at_), source_.size()); }

  void Skip(size_t size) {
    line_ += std::count(source_.begin() + at_, source_.begin() + at_ + size, '\n');
    at_ += size;
  }

  void Add(std::string text, size_t size) {
    tokens_.push_back({std::move(text), line_});
    Skip(size);
  }

  void Directive() {
    size_t end = LineEnd();
    while (end > at_ && source_[end - 1] == '\\') {
      end = std::min(source_.find('\n', end + 1), source_.size());
    }
    std::string_view rest = source_.substr(at_, end - at_);
    if (rest.starts_with("#define ")) {
      rest.remove_prefix(8);
      const auto stop = std::find_if_not(rest.begin(), rest.end(), IsWordPart);
      tokens_.push_back({"#define", line_});
      tokens_.push_back({std::string(rest.begin(), stop), line_});
      tokens_.push_back({"=" + std::string(stop, rest.end()), line_});
    }
    Skip(end - at_);
  }

  void RawString() {
    const size_t open = After("(", at_);
    const std::string end = ")" + std::string(source_.substr(at_ + 2, open - at_ - 3)) + "\"";
    Add("\"\"", After(end, open) - at_);
  }

  void Quoted(char quote) {
    size_t end = at_ + 1;
    while (end < source_.size() && source_[end] != quote) end += source_[end] == '\\' ? 2 : 1;
    Add("\"\"", std::min(end + 1, source_.size()) - at_);
  }

  void Word() {
    size_t end = at_;
    const bool is_number = std::isdigit(static_cast<unsigned char>(source_[at_])) != 0;
    while (end < source_.size() && (IsWordPart(source_[end]) || (is_number && source_[end] == '\''))) ++end;
    Add(std::string(source_.substr(at_, end - at_)), end - at_);
  }

  std::string_view source_;
  size_t at_ = 0;
  size_t line_ = 1;
  std::vector<Token> tokens_;
};

}  // namespace

bool Token::IsWord() const {
  return IsWordPart(text[0]) && !std::isdigit(static_cast<unsigned char>(text[0]));
}

std::vector<Token> TokensOf(std::string_view source) {
  return Tokenizer(source).Run();
}

}  // namespace parley::levels
