// The tokens of an expression, read one at a time.
//
// Not thread-safe. The text must outlive it.
#pragma once

#include <cstddef>
#include <cstdint>
#include <string>
#include <string_view>

namespace parley::storage {

enum class TokenKind : uint8_t {
  kEnd,
  kWord,     // a letter, then letters, digits and _: a bare name, a function or a keyword
  kName,     // "#n"
  kValue,    // ":v"
  kNumber,   // digits
  kSymbol,   // ( ) [ ] . , + - = <> < <= > >=
  kUnknown,  // a character outside of the grammar
};
struct Token {
  TokenKind kind = TokenKind::kEnd;
  std::string_view text;
};

bool IsWordPart(char c);  // a letter, a digit or _

class Lexer {
 public:
  explicit Lexer(std::string_view text);

  const Token& current() const { return current_; }
  bool AtEnd() const { return current_.kind == TokenKind::kEnd; }
  bool Is(std::string_view symbol) const;
  bool IsWord(std::string_view upper_case) const;  // in any case of letters
  bool NextIs(std::string_view symbol) const;      // the token after this one
  // SET, REMOVE, ADD, DELETE, AND, OR, NOT, BETWEEN, IN: never a name, not even in a place for names
  // only.
  bool IsKeyword() const;
  void Advance();
  bool Take(std::string_view symbol);  // advances if it is the current token
  bool TakeWord(std::string_view upper_case);

  // "Syntax error; token: …, near: …" about the current token, with its neighbours.
  std::string SyntaxFault() const;

 private:
  Token Read(size_t from) const;

  std::string_view text_;
  size_t end_ = 0;  // the current token's
  Token previous_, current_;
};

}  // namespace parley::storage
