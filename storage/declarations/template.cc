#include "storage/declarations/template.h"

#include <algorithm>
#include <charconv>
#include <cstdlib>

namespace parley::storage {
namespace {

constexpr std::string_view kSeparators = "#/:";

const AttributeValue* At(const Item& from, const std::vector<std::string>& path) {
  const AttributeValue* at = from.Find(path.front());
  for (size_t i = 1; at && i < path.size(); ++i) {
    const Item* map = at->As<Item>();
    at = map ? map->Find(path[i]) : nullptr;
  }
  return at;
}

bool IsNothing(const AttributeValue* value) {
  if (!value || value->type() == AttributeType::kNull) return true;
  if (const std::string* text = value->text()) return text->empty();
  const Binary* binary = value->As<Binary>();
  return binary && binary->bytes.empty();
}

// Returns nullopt for types other than S and N, and for an N that cannot be padded.
std::optional<std::string> TextOf(const AttributeValue& value, size_t digits) {
  if (const std::string* text = value.text()) return *text;
  const Number* number = value.number();
  if (!number) return std::nullopt;
  std::string text = number->ToText();
  if (digits == 0) return text;
  const bool is_whole = text.find_first_not_of("0123456789") == std::string::npos;
  if (!is_whole || text.size() > digits) return std::nullopt;
  return std::string(digits - text.size(), '0') + text;
}

}  // namespace

bool Template::AddPlaceholder(std::string_view inner) {
  Placeholder placeholder;
  if (inner.find('{') != std::string_view::npos) return false;
  if (const size_t colon = inner.find(':'); colon != std::string_view::npos) {
    const std::string_view digits = inner.substr(colon + 1);
    const auto end = digits.data() + digits.size();
    if (std::from_chars(digits.data(), end, placeholder.digits).ptr != end) return false;
    if (placeholder.digits == 0 || placeholder.digits > static_cast<size_t>(Number::kDigitsMax)) return false;
    inner = inner.substr(0, colon);
  }
  while (true) {
    const size_t dot = inner.find('.');
    placeholder.path.emplace_back(inner.substr(0, dot));
    if (placeholder.path.back().empty()) return false;
    if (dot == std::string_view::npos) break;
    inner.remove_prefix(dot + 1);
  }
  placeholders_.push_back(std::move(placeholder));
  texts_.emplace_back();
  return true;
}

bool Template::Parse(std::string_view text, Template* out) {
  Template made;
  while (!text.empty()) {
    const bool follows = made.texts_.size() > 1;
    if (follows && kSeparators.find(text.front()) == std::string_view::npos) return false;
    const size_t brace = text.find_first_of("{}");
    made.texts_.back() = text.substr(0, brace);
    if (brace == std::string_view::npos) break;
    const size_t end = text.find('}');
    if (text[brace] != '{' || end == std::string_view::npos) return false;
    if (!made.AddPlaceholder(text.substr(brace + 1, end - brace - 1))) return false;
    text.remove_prefix(end + 1);
  }
  for (const std::string& literal : made.texts_) {
    for (const char c : literal) {
      if (kSeparators.find(c) != std::string_view::npos) made.separators_ += c;
    }
  }
  *out = std::move(made);
  return true;
}

Template Template::Must(std::string_view text) {
  Template made;
  if (!Parse(text, &made)) std::abort();
  return made;
}

bool Template::CanMatch(std::string_view value) const {
  return !value.empty() && (is_whole() || value.find_first_of(separators_) == std::string_view::npos);
}

Template::Filled Template::FillOne(const Placeholder& placeholder, const Item& from) const {
  const std::string& attribute = placeholder.path.front();
  const AttributeValue* value = At(from, placeholder.path);
  if (IsNothing(value)) return {std::nullopt, attribute, {}};
  if (is_whole() && placeholder.digits == 0) return {*value, {}, {}};
  const std::optional<std::string> text = TextOf(*value, placeholder.digits);
  if (!text && placeholder.digits > 0)
    return {std::nullopt, attribute,
            "must be a whole number of at most " + std::to_string(placeholder.digits) + " digits"};
  if (!text) return {std::nullopt, attribute, "must be S or N, as part of a key"};
  if (!CanMatch(*text))
    return {std::nullopt, attribute,
            "must not contain " + std::string(1, (*text)[text->find_first_of(separators_)])};
  return {AttributeValue(*text), {}, {}};
}

Template::Filled Template::Fill(const Item& from) const {
  if (is_whole()) return FillOne(placeholders_.front(), from);
  std::string text = texts_.front();
  for (size_t i = 0; i < placeholders_.size(); ++i) {
    Filled one = FillOne(placeholders_[i], from);
    if (!one.value) return one;
    text += *one.value->text() + texts_[i + 1];
  }
  return {AttributeValue(std::move(text)), {}, {}};
}

std::optional<Item> Template::Match(std::string_view key) const {
  Item found;
  if (!key.starts_with(texts_.front())) return std::nullopt;
  key.remove_prefix(texts_.front().size());
  for (size_t i = 0; i < placeholders_.size(); ++i) {
    const std::string_view value = is_whole() ? key : key.substr(0, key.find_first_of(separators_));
    if (!CanMatch(value)) return std::nullopt;
    if (placeholders_[i].path.size() == 1) found.Set(placeholders_[i].path.front(), value);
    key.remove_prefix(value.size());
    if (!key.starts_with(texts_[i + 1])) return std::nullopt;
    key.remove_prefix(texts_[i + 1].size());
  }
  if (!key.empty()) return std::nullopt;
  return found;
}

std::vector<std::string> Template::Names() const {
  std::vector<std::string> names;
  for (const Placeholder& placeholder : placeholders_) {
    const std::string& name = placeholder.path.front();
    if (std::find(names.begin(), names.end(), name) == names.end()) names.push_back(name);
  }
  return names;
}

std::string Template::Shape() const {
  std::string shape = texts_.front();
  for (size_t i = 1; i < texts_.size(); ++i) shape += "{}" + texts_[i];
  return shape;
}

size_t Template::literal_size() const {
  size_t size = 0;
  for (const std::string& text : texts_) size += text.size();
  return size;
}

}  // namespace parley::storage
