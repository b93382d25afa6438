#include <algorithm>
#include <cctype>
#include <map>
#include <set>
#include <utility>

#include "tests/levels/file_names.h"
#include "tests/levels/source_tokens.h"

namespace parley::levels {
namespace {

using Tokens = std::vector<Token>;

const std::set<std::string_view> kTypeWords = {"struct", "class", "enum", "union"};
// Words before parentheses that are not names of functions.
const std::set<std::string_view> kOtherCalls = {"alignas", "decltype", "noexcept", "explicit", "requires"};

bool IsConstant(std::string_view name) {
  return name.size() > 1 && name[0] == 'k' && std::isupper(static_cast<unsigned char>(name[1]));
}

// The end of the bracket that opens at `at`, exclusive.
size_t Closed(const Tokens& tokens, size_t at) {
  static const std::map<std::string_view, std::string_view> kPairs = {
      {"(", ")"}, {"{", "}"}, {"[", "]"}, {"<", ">"}};
  const std::string_view open = tokens[at].text;
  const std::string_view close = kPairs.at(open);
  for (size_t depth = 0; at < tokens.size(); ++at) {
    if (tokens[at].text == open) ++depth;
    if (tokens[at].text == close && --depth == 0) return at + 1;
  }
  return at;
}

std::string Joined(const Tokens& tokens, size_t from, size_t to) {
  std::string out;
  for (size_t at = from; at < to; ++at) {
    if (!out.empty() && tokens[at].IsWord() && std::isalnum(static_cast<unsigned char>(out.back())))
      out += ' ';
    out += tokens[at].text;
  }
  return out;
}

// One parameter without its name, its default and the qualifiers of its type.
std::string ParameterType(const Tokens& tokens, size_t from, size_t to) {
  Tokens type;
  for (size_t at = from; at < to && tokens[at].text != "="; ++at) {
    if (tokens[at].text == "::") {
      type.pop_back();
    } else {
      type.push_back(tokens[at]);
    }
  }
  const bool is_named = type.size() > 1 && type.back().IsWord() && type[type.size() - 2].text != "const";
  return Joined(type, 0, type.size() - (is_named ? 1 : 0));
}

// `open` is the parenthesis before them.
std::string ParameterTypes(const Tokens& tokens, size_t open) {
  std::string out = "(";
  const size_t end = Closed(tokens, open) - 1;
  for (size_t from = open + 1, at = from; from < end && at <= end; ++at) {
    if (at < end && tokens[at].text != ",") {
      if (std::string_view("(<{[").find(tokens[at].text) != std::string_view::npos)
        at = Closed(tokens, at) - 1;
      continue;
    }
    out += (out.size() > 1 ? "," : "") + ParameterType(tokens, from, at);
    from = at + 1;
  }
  return out + ")";
}

class Scanner {
 public:
  explicit Scanner(std::string_view source) : tokens_(TokensOf(source)) {}

  std::vector<DefinedName> Run() {
    while (at_ < tokens_.size()) Declaration();
    return std::move(names_);
  }

 private:
  const std::string& Text(size_t at) const {
    static const std::string kNone;
    return at < tokens_.size() ? tokens_[at].text : kNone;
  }

  void Declaration() {
    const std::string& first = Text(at_);
    if (first == "#define") {
      DefinedName& macro = Add(at_ + 1);
      macro.space.clear();
      macro.meaning = Text(at_ + 2);
      at_ += 3;
    } else if (first == "}") {
      if (!spaces_.empty()) spaces_.pop_back();
      ++at_;
    } else if (first == ";" || first == "inline") {
      ++at_;
    } else if (first == "namespace") {
      Namespace();
    } else if (first == "extern" && Text(at_ + 2) == "{") {
      spaces_.emplace_back();
      at_ += 3;
    } else if (first == "[" || (first == "template" && Text(at_ + 1) == "<")) {
      is_specialised_ = first == "template" && Text(at_ + 2) == ">";
      at_ = Closed(tokens_, first == "[" ? at_ : at_ + 1);
    } else {
      Entity();
      is_specialised_ = false;
    }
  }

  void Namespace() {
    const size_t from = at_ + 1;
    at_ = from;
    while (at_ < tokens_.size() && Text(at_) != "{" && Text(at_) != ";") ++at_;
    if (Text(at_) == "{") spaces_.push_back(Joined(tokens_, from, at_));
    ++at_;
  }

  // Reads a declaration from its first word to its end and looks for the name that it defines.
  void Entity() {
    const size_t from = at_;
    if (Text(from) == "using") return Using();
    const bool is_extern = Text(from) == "extern";
    size_t name = 0;  // index of the name, 0 until found
    size_t open = 0;  // index of a function's parenthesis
    size_t body = 0;  // index of the brace of a type or a function
    bool is_type = false;
    bool is_value = false;  // after "=", "[" or a value in braces
    for (; at_ < tokens_.size() && Text(at_) != ";"; ++at_) {
      const std::string& text = Text(at_);
      if (!is_value && !open && kTypeWords.contains(text) && !body) {
        is_type = true;
      } else if (text == "{") {
        const bool is_body = !is_value && !body && (open || is_type);
        if (is_body) body = at_;
        if (is_body && Text(from) == "enum" && Text(from + 1) != "class") Enumerators(at_);
        if (!is_body) is_value = true;
        at_ = Closed(tokens_, at_) - 1;
        if (is_body && open) break;
        if (is_body && Text(at_ + 1) != ";") {  // variables of the type follow
          Define(name, 0, false);
          name = 0;
          is_type = false;
          body = 0;
        }
      } else if (text == "(") {
        if (!is_value && !open && (name == at_ - 1 || Text(name) == "operator") && !IsConstant(Text(name)))
          open = at_;
        at_ = Closed(tokens_, at_) - 1;
      } else if (text == "operator" && !open && !is_value) {
        name = at_;
        while (Text(at_ + 1) != "(" || Text(at_ + 2) == ")") ++at_;
      } else if (text == "=" || text == "[") {
        is_value |= text == "=" || name == at_ - 1;
        if (text == "[") at_ = Closed(tokens_, at_) - 1;
      } else if (text == "<" && !is_value) {
        at_ = Closed(tokens_, at_) - 1;
      } else if (text == "," && name && !open && !is_type && BeginsDeclarator(at_ + 1)) {
        Define(name, 0, is_extern);
        name = at_ + 1;
        is_value = false;
      } else if (text == ":" && (is_type || open)) {
        at_ = BodyAfterColon(is_type);
      } else if (!is_value && !open && !(is_type && name && Text(at_ - 1) != "::") && tokens_[at_].IsWord() &&
                 !kOtherCalls.contains(text)) {
        name = text == "final" ? name : at_;
      }
    }
    ++at_;
    if (Text(from) == "static_assert") return;
    const bool is_declared = is_extern || ((is_type || open) && !body && !is_value);
    Define(name, open, is_declared);
  }

  // The names in the braces of an enum without "class" belong to the namespace around it.
  void Enumerators(size_t open) {
    const size_t end = Closed(tokens_, open);
    for (size_t at = open + 1; at < end; ++at) {
      const std::string& before = Text(at - 1);
      if ((before == "{" || before == ",") && tokens_[at].IsWord()) Define(at, 0, false);
    }
  }

  // Whether another variable follows a comma, and not another template argument of a value.
  bool BeginsDeclarator(size_t at) const {
    const std::string& next = Text(at + 1);
    return at < tokens_.size() && tokens_[at].IsWord() &&
           (next == "=" || next == "{" || next == "[" || next == "," || next == ";");
  }

  // Skips base classes or a constructor's initialisers to the brace of the body: a member's brace follows its
  // name, that of the body does not.
  size_t BodyAfterColon(bool is_type) const {
    size_t at = at_ + 1;
    while (at < tokens_.size() && Text(at) != ";" &&
           (Text(at) != "{" || (!is_type && tokens_[at - 1].IsWord()))) {
      at = Text(at) == "(" || Text(at) == "<" || Text(at) == "{" ? Closed(tokens_, at) : at + 1;
    }
    return at - 1;
  }

  void Using() {
    const size_t from = at_ + 1;
    while (at_ < tokens_.size() && Text(at_) != ";") ++at_;
    if (Text(from) == "namespace" || Text(from) == "enum") return;
    const bool is_alias = Text(from + 1) == "=";
    const size_t name = is_alias ? from : at_ - 1;
    size_t meaning = is_alias ? from + 2 : from;
    if (Text(meaning) == "::") ++meaning;
    Add(name).meaning = Joined(tokens_, meaning, at_);
  }

  void Define(size_t name, size_t open, bool is_declared) {
    if (name == 0 || Text(name - 1) == "::" || Text(name - 1) == "~" || is_specialised_ ||
        kTypeWords.contains(Text(name)))
      return;
    DefinedName& out = Add(name);
    out.is_declared = is_declared;
    if (!open) return;
    if (out.name == "operator") out.name = Joined(tokens_, name, open);
    out.parameters = ParameterTypes(tokens_, open);
  }

  DefinedName& Add(size_t name) {
    names_.emplace_back();
    names_.back().space = Space();
    names_.back().name = Text(name);
    names_.back().line = tokens_[name].line;
    names_.back().is_local = std::find(spaces_.begin(), spaces_.end(), "") != spaces_.end();
    return names_.back();
  }

  std::string Space() const {
    std::string out;
    for (const std::string& space : spaces_) {
      if (!space.empty()) out += (out.empty() ? "" : "::") + space;
    }
    return out;
  }

  Tokens tokens_;
  size_t at_ = 0;
  std::vector<std::string> spaces_;
  std::vector<DefinedName> names_;
  bool is_specialised_ = false;
};

bool Clash(const DefinedName& a, const DefinedName& b) {
  if (a.is_declared && !b.is_local) return false;
  if (!a.parameters.empty() && !b.parameters.empty()) return a.parameters == b.parameters;
  return a.meaning.empty() || a.meaning != b.meaning;
}

struct Place {
  const SourceFile* file;
  DefinedName name;

  std::string Text() const { return file->path + ":" + std::to_string(name.line); }
};

// The level, or the folder of tests/ that becomes one program.
std::string_view FolderOf(std::string_view path) {
  const size_t from = path.starts_with("tests/") ? path.find('/') + 1 : 0;
  return path.substr(0, path.find('/', from) + 1);
}

bool IsOfTests(std::string_view path) {
  return path.starts_with("tests/");
}

// The support code of tests is compiled by itself, since several programs share its objects.
bool IsCompiledAlone(std::string_view path) {
  return IsOfTests(path) && !path.ends_with("_test.cc");
}

}  // namespace

std::vector<DefinedName> NamesDefinedIn(std::string_view source) {
  return Scanner(source).Run();
}

std::vector<std::string> ClashingNames(const std::vector<SourceFile>& tree) {
  std::map<std::pair<std::string, std::string>, std::vector<Place>> places;
  for (const SourceFile& file : tree) {
    for (DefinedName& name : NamesDefinedIn(file.text)) {
      auto key = std::pair(name.space, name.name);
      places[std::move(key)].push_back({&file, std::move(name)});
    }
  }
  std::vector<std::string> out;
  for (const auto& [key, all] : places) {
    for (const Place& b : all) {
      if (!b.file->path.ends_with(".cc") || b.name.is_declared || key.second == "main") continue;
      if (IsCompiledAlone(b.file->path)) continue;
      const auto a = std::find_if(all.begin(), all.end(), [&](const Place& place) {
        const bool is_in_header = !place.file->path.ends_with(".cc");
        if (place.file == b.file || !Clash(place.name, b.name)) return false;
        if (is_in_header)
          return !key.first.empty() && (IsOfTests(b.file->path) || !IsOfTests(place.file->path));
        return !IsCompiledAlone(place.file->path) && place.file < b.file &&
               FolderOf(place.file->path) == FolderOf(b.file->path);
      });
      if (a != all.end()) out.push_back(b.Text() + ": defines " + key.second + ", as " + a->Text() + " does");
    }
  }
  return out;
}

}  // namespace parley::levels
