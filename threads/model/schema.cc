#include "threads/model/schema.h"

#include <algorithm>
#include <set>

#include "protocol/base/clusters.h"
#include "protocol/base/ids.h"
#include "protocol/base/time.h"

namespace parley::threads {
namespace {

using protocol::Value;
using Kind = SchemaField::Kind;

class Checker {
 public:
  Checker(std::string_view top, Wrong* wrong) : top_(top), wrong_(wrong) {}

  void Map(const Value& value, const Schema& schema, const Schema* more, const std::string& at) {
    const protocol::Map* members = value.as_map();
    if (!members) return Report(at.empty() ? std::string(top_) : at, "must be a map");
    const std::string in = at.empty() ? "" : at + ".";
    for (const auto& [name, member] : *members) {
      const SchemaField* field = Find(schema, name);
      if (!field && more) field = Find(*more, name);
      if (field && !member.is_null()) Field(member, *field, in + std::string(name));
      if (!field && !schema.open) Report(in + std::string(name), "is not a known field");
    }
    for (const SchemaField& field : schema.fields) {
      if (field.required && !MemberOf(value, field.name)) Report(in + std::string(field.name), "is required");
    }
    Forms(value, schema, in);
  }

 private:
  void Report(std::string path, std::string what) { Say(std::move(path), std::move(what), wrong_); }

  static const SchemaField* Find(const Schema& schema, std::string_view name) {
    const auto found = std::find_if(schema.fields.begin(), schema.fields.end(),
                                    [&](const SchemaField& field) { return field.name == name; });
    return found == schema.fields.end() ? nullptr : &*found;
  }

  // Requires exactly one of the forms, complete.
  void Forms(const Value& value, const Schema& schema, const std::string& in) {
    if (schema.one_of.empty()) return;
    const std::vector<std::string_view>* begun = nullptr;
    for (const auto& form : schema.one_of) {
      const auto given = std::find_if(
          form.begin(), form.end(), [&](std::string_view name) { return MemberOf(value, name) != nullptr; });
      if (given == form.end()) continue;
      if (begun) return Report(in + std::string(*given), "does not go with " + std::string(begun->front()));
      begun = &form;
    }
    if (!begun) begun = &schema.one_of.front();
    for (const std::string_view name : *begun) {
      if (!MemberOf(value, name)) Report(in + std::string(name), "is required");
    }
  }

  void Field(const Value& value, const SchemaField& field, const std::string& at) {
    switch (field.kind) {
      case Kind::kText:
        return Text(value, field.low, field.high, at);
      case Kind::kKey:
        return Text(value, 1, field.high, at);
      case Kind::kInt:
      case Kind::kCents:
        return Number(value, field, at);
      case Kind::kBool:
        return value.as_bool() ? void() : Report(at, "must be true or false");
      case Kind::kTime:
        return value.as_text() && protocol::ParseTime(*value.as_text())
                   ? void()
                   : Report(at, "must be a time such as 2025-11-05T14:12:07.123Z");
      case Kind::kWord: {
        const auto* text = value.as_text();
        const auto& words = field.words;
        const bool known = text && std::find(words.begin(), words.end(), *text) != words.end();
        return known ? void() : Report(at, "is not one of the known values");
      }
      case Kind::kMap:
        return Map(value, *field.of, nullptr, at);
      case Kind::kList:
      case Kind::kTexts:
      case Kind::kFiles:
        return List(value, field, at);
      case Kind::kFile:
        return File(value, at);
      case Kind::kMessage:
        return Id<protocol::MessageId>(value, at);
      case Kind::kUser:
        return Id<protocol::UserId>(value, at);
      case Kind::kId:
        return Id<protocol::LegId>(value, at);
      case Kind::kUpload:
        return Id<protocol::AttachmentId>(value, at);
    }
  }

  void Text(const Value& value, int64_t low, int64_t high, const std::string& at) {
    const auto* text = value.as_text();
    if (!text) return Report(at, "must be text");
    if (static_cast<int64_t>(text->size()) < low) return Report(at, "is empty");
    if (static_cast<int64_t>(text->size()) > high) return Report(at, "is too long");
  }

  void Number(const Value& value, const SchemaField& field, const std::string& at) {
    const int64_t* number = value.as_int();
    if (!number) return Report(at, "must be a whole number");
    if (*number < 0 && field.kind == Kind::kCents) return Report(at, "must not be negative");
    if (*number < field.low || *number > field.high)
      Report(at, "must be between " + std::to_string(field.low) + " and " + std::to_string(field.high));
  }

  template <class T>
  void Id(const Value& value, const std::string& at) {
    if (!value.as_text() || !T::FromText(*value.as_text())) Report(at, "is not a valid id");
  }

  void List(const Value& value, const SchemaField& field, const std::string& at) {
    const protocol::Array* items = value.as_array();
    if (!items) return Report(at, "must be a list");
    const int64_t fewest = field.kind == Kind::kTexts ? 0 : field.low;
    if (static_cast<int64_t>(items->size()) < fewest) return Report(at, "is empty");
    if (static_cast<int64_t>(items->size()) > field.high) return Report(at, "has too many elements");
    for (size_t i = 0; i < items->size(); ++i) {
      const std::string here = at + "." + std::to_string(i);
      if (field.kind == Kind::kList) {
        Map((*items)[i], *field.of, nullptr, here);
      } else if (field.kind == Kind::kTexts) {
        Text((*items)[i], 0, field.low, here);
      } else {
        File((*items)[i], here);
      }
    }
    if (field.kind == Kind::kList) Keys(*items, *field.of, at);
  }

  // Rejects maps of a list that have the same key.
  void Keys(const protocol::Array& items, const Schema& schema, const std::string& at) {
    const auto key = std::find_if(schema.fields.begin(), schema.fields.end(),
                                  [](const SchemaField& field) { return field.kind == Kind::kKey; });
    if (key == schema.fields.end()) return;
    std::set<std::string_view> seen;
    for (size_t i = 0; i < items.size(); ++i) {
      const Value* name = items[i].as_map() ? MemberOf(items[i], key->name) : nullptr;
      if (name && name->as_text() && !seen.insert(*name->as_text()).second)
        Report(at + "." + std::to_string(i) + "." + std::string(key->name), "is there twice");
    }
  }

  void File(const Value& value, const std::string& at) {
    const auto fits = [](const Value* v) {
      return v && v->as_text() && !v->as_text()->empty() && v->as_text()->size() <= 1024;
    };
    if (fits(&value)) return;
    const protocol::Map* members = value.as_map();
    const bool one = members && members->size() == 1;
    if (const Value* upload = one ? value.Find("attachmentId") : nullptr)
      return Id<protocol::AttachmentId>(*upload, at + ".attachmentId");
    if (!one || (!fits(value.Find("s3Key")) && !fits(value.Find("manifestRef"))))
      Report(at, "must be a map with an attachmentId or a manifestRef, and nothing else");
  }

  const std::string_view top_;
  Wrong* wrong_;
};

}  // namespace

void Say(std::string path, std::string what, Wrong* wrong) {
  if (wrong->size() >= kMaxWrong) return;
  path.resize(protocol::FirstBytes(path, kShownPath).size());
  wrong->emplace_back(std::move(path), std::move(what));
}

void CheckMap(const Value& value, const Schema& schema, const Schema* more, std::string_view path,
              std::string_view top, Wrong* wrong) {
  Checker(top, wrong).Map(value, schema, more, std::string(path));
}

const Value* MemberOf(const Value& map, std::string_view name) {
  const Value* value = map.Find(name);
  return value && !value->is_null() ? value : nullptr;
}

}  // namespace parley::threads
