#include "storage/expressions/lexer.h"

#include <algorithm>

#include "protocol/base/ascii.h"

namespace parley::storage {
namespace {

using protocol::IsDigit;
using protocol::IsLetter;

bool IsSpace(char c) {
  return c == ' ' || c == '\t' || c == '\r' || c == '\n';
}

template <class Test>
size_t LengthWhile(std::string_view text, Test test) {
  return static_cast<size_t>(std::find_if_not(text.begin(), text.end(), test) - text.begin());
}

size_t SymbolLength(std::string_view text) {
  const std::string_view two = text.substr(0, 2);
  if (two == "<>" || two == "<=" || two == ">=") return 2;
  return std::string_view("()[].,+-=<>").find(text[0]) == std::string_view::npos ? 0 : 1;
}

// The length of the first character of `text`, in bytes.
size_t CharacterLength(std::string_view text) {
  return 1 + LengthWhile(text.substr(1), [](char c) { return (c & 0xc0) == 0x80; });
}

bool EqualWord(std::string_view word, std::string_view upper_case) {
  return std::equal(word.begin(), word.end(), upper_case.begin(), upper_case.end(),
                    [](char a, char b) { return a == b || (IsLetter(a) && (a & ~0x20) == b); });
}

}  // namespace

bool IsWordPart(char c) {
  return IsLetter(c) || IsDigit(c) || c == '_';
}

Lexer::Lexer(std::string_view text) : text_(text) {
  Advance();
}

Token Lexer::Read(size_t from) const {
  const std::string_view all = text_.substr(from);
  const std::string_view rest = all.substr(LengthWhile(all, IsSpace));
  if (rest.empty()) return {};
  const char first = rest[0];
  if (IsLetter(first)) return {TokenKind::kWord, rest.substr(0, LengthWhile(rest, IsWordPart))};
  if (IsDigit(first)) return {TokenKind::kNumber, rest.substr(0, LengthWhile(rest, IsDigit))};
  if (first == '#' || first == ':') {
    const size_t length = LengthWhile(rest.substr(1), IsWordPart);
    if (length > 0) return {first == '#' ? TokenKind::kName : TokenKind::kValue, rest.substr(0, 1 + length)};
  }
  if (const size_t length = SymbolLength(rest)) return {TokenKind::kSymbol, rest.substr(0, length)};
  return {TokenKind::kUnknown, rest.substr(0, CharacterLength(rest))};
}

bool Lexer::Is(std::string_view symbol) const {
  return current_.kind == TokenKind::kSymbol && current_.text == symbol;
}

bool Lexer::NextIs(std::string_view symbol) const {
  const Token next = Read(end_);
  return next.kind == TokenKind::kSymbol && next.text == symbol;
}

bool Lexer::IsWord(std::string_view upper_case) const {
  return current_.kind == TokenKind::kWord && EqualWord(current_.text, upper_case);
}

bool Lexer::IsKeyword() const {
  static constexpr std::string_view kKeywords[] = {"AND", "OR",     "NOT", "BETWEEN", "IN",
                                                   "SET", "REMOVE", "ADD", "DELETE"};
  return std::any_of(std::begin(kKeywords), std::end(kKeywords),
                     [&](std::string_view word) { return IsWord(word); });
}

void Lexer::Advance() {
  previous_ = current_;
  current_ = Read(end_);
  end_ = AtEnd() ? text_.size()
                 : static_cast<size_t>(current_.text.data() - text_.data()) + current_.text.size();
}

bool Lexer::Take(std::string_view symbol) {
  if (!Is(symbol)) return false;
  Advance();
  return true;
}

bool Lexer::TakeWord(std::string_view upper_case) {
  if (!IsWord(upper_case)) return false;
  Advance();
  return true;
}

std::string Lexer::SyntaxFault() const {
  const Token next = Read(end_);
  const Token& first = previous_.kind == TokenKind::kEnd ? current_ : previous_;
  const Token& last = next.kind == TokenKind::kEnd ? (AtEnd() ? previous_ : current_) : next;
  const char* begin = first.text.data();
  const std::string near(
      begin, begin == nullptr ? 0 : static_cast<size_t>(last.text.data() + last.text.size() - begin));
  return "Syntax error; token: \"" + (AtEnd() ? "<EOF>" : std::string(current_.text)) + "\", near: \"" +
         near + "\"";
}

}  // namespace parley::storage
