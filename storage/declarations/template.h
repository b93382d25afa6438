// Templates of keys and of derived attributes: "TENANT#{tenant_id}", "{status}#{timestamp:13}",
// "{channel_config.sms.company_sms_number}".
//
// A placeholder takes an S as it is and an N in plain digits; ":13" pads an N with zeros to 13 digits, so
// that the order of texts is that of numbers. A template that is one placeholder and nothing else takes a
// value of any type as it is.
//
// Separators are the '#', '/' and ':' in the template's own text. A value that contains one of them could be
// taken for more than it is (of "USER#{a}#{b}", what begins with "USER#x#"), so it is refused, except in a
// template that is one placeholder. Nothing is escaped: keys look as programs write them.
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
    size_t digits = 0;              // 0: as it is
  };

  // False: braces that do not match, an empty name, or a placeholder that neither ends it nor has a separator
  // behind it.
  static bool Parse(std::string_view text, Template* out);
  // REQUIRES: it parses, as those of a loaded declaration do.
  static Template Must(std::string_view text);

  struct Filled {
    std::optional<AttributeValue> value;
    std::string attribute;  // without a value: which one it is that lacks, or is at fault
    std::string why;        // empty: the attribute is not there, or is null or empty
  };
  Filled Fill(const Item& from) const;

  // What the placeholders stand for in a key that has this form, as S; nullopt: it has not.
  std::optional<Item> Match(std::string_view key) const;

  // The attributes that it takes, each once.
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
