// Templates of keys and of derived attributes: "TENANT#{tenant_id}", "{status}#{timestamp:13}",
// "{channel_config.sms.company_sms_number}".
//
// A placeholder inserts an S unchanged and an N in plain digits; ":13" pads an N with zeros to 13 digits, so
// that the order of texts is that of numbers. A template that is one placeholder and nothing else accepts a
// value of any type unchanged.
//
// Separators are the '#', '/' and ':' in the template's own text. A value that contains one of them would be
// ambiguous (in "USER#{a}#{b}", a query for "USER#x#" would also match an `a` of "x#y"), so it is rejected,
// except in a template that is one placeholder. Nothing is escaped: keys look as programs write them.
//
// Thread-safe as a value.
#pragma once

#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "storage/items/attribute.h"

namespace parley::storage {

class Template {
 public:
  struct Placeholder {
    std::vector<std::string> path;  // an attribute, and members of maps below it
    size_t digits = 0;              // 0: no padding
  };

  // Returns false for unbalanced braces, an empty name, or a placeholder that is followed by text other than
  // a separator.
  static bool Parse(std::string_view text, Template* out);
  // REQUIRES: it parses, which is sure for loaded declarations.
  static Template Must(std::string_view text);

  struct Filled {
    std::optional<AttributeValue> value;
    std::string attribute;  // without a value: the missing or faulty attribute
    std::string why;        // empty: the attribute is missing, null or empty
  };
  Filled Fill(const Item& from) const;

  // Returns the placeholders' values in `key`, as S, or nullopt if the key has another form.
  std::optional<Item> Match(std::string_view key) const;

  // The attributes that it uses, each once.
  std::vector<std::string> Names() const;
  // The text with "{}" for each placeholder: templates of one shape match the same keys.
  std::string Shape() const;
  bool is_whole() const { return placeholders_.size() == 1 && texts_[0].empty() && texts_[1].empty(); }
  size_t literal_size() const;

 private:
  bool AddPlaceholder(std::string_view inner);
  bool CanMatch(std::string_view value) const;
  Filled FillOne(const Placeholder& placeholder, const Item& from) const;

  std::vector<std::string> texts_ = {""};  // before, between and after the placeholders
  std::vector<Placeholder> placeholders_;
  std::string separators_;
};

}  // namespace parley::storage
