#include "threads/panel/comments.h"

#include <map>
#include <vector>

#include "protocol/writer.h"
#include "threads/model/schema.h"

namespace parley::threads {
namespace {

using protocol::Value;
using protocol::Writer;

constexpr std::string_view kComments = "comments";

std::string_view TextIn(const Value& map, std::string_view field) {
  const Value* value = MemberOf(map, field);
  return value && value->as_text() ? *value->as_text() : std::string_view();
}

const protocol::Array& CommentsOf(const Value& item) {
  static const protocol::Array none;
  const Value* comments = MemberOf(item, kComments);
  return comments && comments->as_array() ? *comments->as_array() : none;
}

// The stored comments of one pin or shot; each can be taken once.
class StoredComments {
 public:
  explicit StoredComments(const Value* item) {
    if (!item) return;
    for (const Value& comment : CommentsOf(*item)) left_.push_back(&comment);
  }
  // Returns the stored comment that `given` repeats, or nullptr for a new one. A repeat may leave out author
  // and time.
  const Value* Take(const Value& given) {
    const auto same = [&](const Value& stored, std::string_view field, bool may_miss) {
      const std::string_view text = TextIn(given, field);
      return text == TextIn(stored, field) || (may_miss && text.empty());
    };
    for (const bool may_miss : {false, true}) {
      for (const Value*& stored : left_) {
        if (!stored || !same(*stored, "text", false) || !same(*stored, "by", may_miss) ||
            !same(*stored, "at", may_miss))
          continue;
        return std::exchange(stored, nullptr);
      }
    }
    return nullptr;
  }

 private:
  std::vector<const Value*> left_;
};

void PutNew(const Value& given, const protocol::UserId& author, protocol::Time now, Writer* w) {
  w->BeginMap(3);
  w->Text("by");
  w->Text(author.value);
  w->Text("text");
  w->Text(TextIn(given, "text"));
  w->Text("at");
  w->Text(protocol::FormatTime(now));
}

void PutItem(const Value& item, const Value* stored_item, const protocol::UserId& author, protocol::Time now,
             Writer* w) {
  StoredComments stored(stored_item);
  const protocol::Map& members = *item.as_map();
  w->BeginMap(members.size());
  for (const auto& [name, value] : members) {
    w->Text(name);
    if (name != kComments || !value.as_array()) {
      w->Put(value);
      continue;
    }
    w->BeginArray(value.as_array()->size());
    for (const Value& comment : *value.as_array()) {
      if (const Value* kept = stored.Take(comment)) {
        w->Put(*kept);
      } else {
        PutNew(comment, author, now, w);
      }
    }
  }
}

bool IsItems(std::string_view name, const Value& value) {
  return (name == "pins" || name == "shots") && value.as_array();
}

}  // namespace

protocol::Json WithAuthors(const Value& before, const protocol::Json& given, const Value& content,
                           const protocol::UserId& author, protocol::Time now) {
  bool any = false;
  std::map<std::string_view, const Value*> stored;  // by the id of the pin or shot
  for (const auto& [name, value] : *before.as_map()) {
    if (!IsItems(name, value)) continue;
    for (const Value& item : *value.as_array()) stored[TextIn(item, "id")] = &item;
  }
  Writer w;
  w.BeginMap(content.as_map()->size());
  for (const auto& [name, value] : *content.as_map()) {
    w.Text(name);
    if (!IsItems(name, value)) {
      w.Put(value);
      continue;
    }
    w.BeginArray(value.as_array()->size());
    for (const Value& item : *value.as_array()) {
      any |= !CommentsOf(item).empty();
      const auto at = stored.find(TextIn(item, "id"));
      PutItem(item, at == stored.end() ? nullptr : at->second, author, now, &w);
    }
  }
  return any ? protocol::Json{w.Take()} : given;
}

}  // namespace parley::threads
