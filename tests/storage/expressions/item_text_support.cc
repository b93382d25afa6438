#include <gtest/gtest.h>

#include <cstdlib>
#include <iostream>

#include "tests/storage/expressions/item_text.h"

namespace parley::storage {
namespace {

class Reader {
 public:
  explicit Reader(std::string_view text) : text_(text) {}

  AttributeValue Value() {
    Skip();
    if (Take("b\"")) return Binary{Quoted()};
    if (Take("\"")) return Quoted();
    if (Take("[")) return TakeList();
    if (Take("{")) return Members("}");
    if (Take("ss(")) return Set<std::string>();
    if (Take("ns(")) return Set<Number>();
    if (Take("bs(")) return Set<Binary>();
    if (Take("true")) return AttributeValue::OfBool(true);
    if (Take("false")) return AttributeValue::OfBool(false);
    if (Take("null")) return {};
    return TakeNumber();
  }

  Item Members(std::string_view end) {
    Item out;
    for (Skip(); !Take(end); Comma()) {
      const std::string name = Name();
      out.Set(name, Value());
    }
    return out;
  }
  Item All() {
    Item out;
    for (Skip(); !text_.empty(); Comma()) {
      const std::string name = Name();
      out.Set(name, Value());
    }
    return out;
  }

 private:
  [[noreturn]] void Fail() {
    std::cerr << "no item: …" << text_ << std::endl;
    std::abort();
  }
  void Skip() {
    while (text_.starts_with(" ")) text_.remove_prefix(1);
  }
  bool Take(std::string_view begin) {
    if (!text_.starts_with(begin)) return false;
    text_.remove_prefix(begin.size());
    return true;
  }
  void Comma() {
    Skip();
    Take(",");
    Skip();
  }
  std::string Until(std::string_view ends, size_t from = 0) {
    const size_t length = text_.find_first_of(ends, from);
    if (length == std::string_view::npos) Fail();
    std::string out(text_.substr(0, length));
    text_.remove_prefix(length + 1);
    return out;
  }
  std::string Quoted() { return Until("\""); }
  std::string Name() { return Until(":", 1); }
  AttributeValue TakeNumber() {
    const size_t length = std::min(text_.find_first_not_of("0123456789.eE+-"), text_.size());
    Number out;
    if (Number::Parse(text_.substr(0, length), &out) != NumberFault::kNone) Fail();
    text_.remove_prefix(length);
    return out;
  }
  List TakeList() {
    List out;
    for (Skip(); !Take("]"); Comma()) out.push_back(Value());
    return out;
  }
  template <class T>
  AttributeValue Set() {
    std::vector<T> elements;
    for (Skip(); !Take(")"); Comma()) {
      AttributeValue element = Value();
      elements.push_back(std::move(*element.As<T>()));
    }
    SetOf<T> set;
    if (!MakeSet(std::move(elements), &set)) Fail();
    return set;
  }

  std::string_view text_;
};

struct Writer {
  std::string operator()(const std::string& text) const { return "\"" + text + "\""; }
  std::string operator()(const Number& number) const { return number.ToText(); }
  std::string operator()(const Binary& binary) const { return "b\"" + binary.bytes + "\""; }
  std::string operator()(bool value) const { return value ? "true" : "false"; }
  std::string operator()(const Null&) const { return "null"; }
  std::string operator()(const Item& map) const { return "{" + TextOfItem(map) + "}"; }
  std::string operator()(const List& list) const {
    std::string out;
    for (const AttributeValue& element : list) out += (out.empty() ? "" : ", ") + Text(element);
    return "[" + out + "]";
  }
  template <class T>
  std::string operator()(const SetOf<T>& set) const {
    std::string out;
    for (const T& element : set.elements) out += (out.empty() ? "" : ", ") + (*this)(element);
    return (std::is_same_v<T, std::string> ? "ss(" : std::is_same_v<T, Number> ? "ns(" : "bs(") + out + ")";
  }
  static std::string Text(const AttributeValue& value) { return std::visit(Writer{}, value.data()); }
};

// Calls `parse` with the placeholders.
template <class Parse>
std::string FaultOf(std::string_view names, std::string_view values, const Parse& parse) {
  Placeholders placeholders = Given(names, values);
  const Fault fault = parse(&placeholders);
  return fault.empty() ? placeholders.UnusedFault() : fault;
}

}  // namespace

AttributeValue ValueFrom(std::string_view text) {
  return Reader(text).Value();
}

Item ItemFrom(std::string_view text) {
  return Reader(text).All();
}

std::string TextOfItem(const Item& item) {
  std::string out;
  for (const auto& [name, value] : item) out += (out.empty() ? "" : ", ") + name + ": " + Writer::Text(value);
  return out;
}

Placeholders Given(std::string_view names, std::string_view values) {
  Placeholders out;
  Placeholders::Names name_map;
  for (const auto& [key, name] : ItemFrom(names)) name_map[key] = *name.text();
  Placeholders::Values value_map;
  for (const auto& [key, value] : ItemFrom(values)) value_map[key] = value;
  if (!names.empty()) {
    EXPECT_EQ(out.SetNames(name_map), "");
  }
  if (!values.empty()) {
    EXPECT_EQ(out.SetValues(value_map), "");
  }
  return out;
}

std::string ConditionFault(std::string_view text, std::string_view values, std::string_view names) {
  return FaultOf(names, values, [&](Placeholders* given) {
    Condition out;
    return ParseCondition("ConditionExpression", text, given, &out);
  });
}

std::string UpdateFault(std::string_view text, std::string_view values, std::string_view names) {
  return FaultOf(names, values, [&](Placeholders* given) {
    Update out;
    return ParseUpdate(text, given, &out);
  });
}

std::string ProjectionFault(std::string_view text, std::string_view names) {
  return FaultOf(names, "", [&](Placeholders* given) {
    ProjectionPaths out;
    return ParseProjection(text, given, &out);
  });
}

}  // namespace parley::storage
