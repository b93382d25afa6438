// Builds the shapes of items from their descriptions, once. No other file needs these templates.
#include <algorithm>

#include "protocol/base/json_text.h"
#include "protocol/json_schema.h"
#include "protocol/message_items.h"
#include "protocol/ops/compact_replies.h"

namespace parley::protocol {
namespace {

namespace in = schema_internal;

template <class M>
constexpr Default DefaultOf() {
  if constexpr (in::IsOptional<M>::value) {
    return Default::kNull;
  } else if constexpr (in::IsList<M>::value) {
    return Default::kEmptyList;
  } else if constexpr (std::is_same_v<M, bool>) {
    return Default::kFalse;
  } else if constexpr (std::is_same_v<M, int64_t> || in::IsBounded<M>::value) {
    return Default::kZero;
  } else if constexpr (NamedEnum<M>) {
    return kUsual<M> ? Default::kUsualName : Default::kNone;
  } else if constexpr (Described<M>) {
    return Default::kEmptyMap;
  } else {
    return Default::kNone;
  }
}

template <class M>
std::string_view UsualOf() {
  if constexpr (NamedEnum<M>) {
    if (kUsual<M>) return NameOf(*kUsual<M>);
  }
  return {};
}

bool LeavesOutAny(const CompactShape& shape) {
  return std::any_of(shape.fields.begin(), shape.fields.end(), [](const CompactField& field) {
    return field.standard != Default::kNone || field.within != nullptr;
  });
}

template <Described T>
const CompactShape& ShapeFor();

// The shape of a field's value, if that is a map or a list of maps and anything is left out of them.
template <class M>
const CompactShape* WithinOf() {
  if constexpr (in::IsOptional<M>::value || in::IsOmit<M>::value) {
    return WithinOf<typename in::OptionalOf<M>::type>();
  } else if constexpr (in::IsList<M>::value) {
    return WithinOf<typename in::ListOf<M>::type>();
  } else if constexpr (Described<M>) {
    return LeavesOutAny(ShapeFor<M>()) ? &ShapeFor<M>() : nullptr;
  } else {
    return nullptr;
  }
}

template <Described T>
const CompactShape& ShapeFor() {
  static const std::string title = SchemaName<T>();
  static const CompactShape shape = [] {
    CompactShape out;
    out.name = title;
    auto add = [&]<class C, class M>(std::string_view name, M C::*, std::string_view) {
      out.fields.push_back({name, DefaultOf<M>(), UsualOf<M>(), WithinOf<M>()});
    };
    T::Fields(add);
    return out;
  }();
  return shape;
}

// --- rules, as JSON

std::string DefaultText(const CompactField& field) {
  switch (field.standard) {
    case Default::kNone:
      break;
    case Default::kNull:
      return "null";
    case Default::kEmptyList:
      return "[]";
    case Default::kFalse:
      return "false";
    case Default::kZero:
      return "0";
    case Default::kUsualName:
      return JsonText(field.usual);
    case Default::kEmptyMap:
      return "{}";
  }
  return {};
}

void AddMember(std::string* map, std::string_view name, const std::string& value) {
  *map += (map->empty() ? "" : ",") + JsonText(name) + ":" + value;
}

// `in_frame`: the items of shared events may take these two fields from the frame.
std::string RuleOf(const CompactShape& shape, bool in_frame) {
  std::string fields;
  for (const CompactField& field : shape.fields) {
    std::string rule;
    if (const std::string text = DefaultText(field); !text.empty()) AddMember(&rule, "default", text);
    if (field.within) AddMember(&rule, "of", JsonText(field.within->name));
    if (in_frame && (field.name == "threadId" || field.name == "seq")) AddMember(&rule, "frame", "true");
    if (!rule.empty()) AddMember(&fields, field.name, "{" + rule + "}");
  }
  return "{" + fields + "}";
}

std::string PagesText(const CompactShape& reply) {
  std::string pages;
  for (const CompactField& field : reply.fields) AddMember(&pages, field.name, JsonText(field.within->name));
  return "{" + pages + "}";
}

}  // namespace

const CompactShape& ShapeOf(ChangeKind kind) {
  switch (kind) {
    case ChangeKind::kThread:
      return ShapeFor<Thread>();
    case ChangeKind::kParticipant:
      return ShapeFor<Participant>();
    case ChangeKind::kMessage:
      return ShapeFor<Message>();
    case ChangeKind::kCard:
      return ShapeFor<Card>();
    case ChangeKind::kTab:
      break;
  }
  return ShapeFor<Tab>();
}

const CompactShape& EntryShape() {
  return ShapeFor<Entry>();
}

const std::vector<const CompactShape*>& AllShapes() {
  static const std::vector<const CompactShape*> all = [] {
    std::vector<const CompactShape*> out;
    const auto add = [&](const auto& self, const CompactShape& shape) -> void {
      for (const CompactField& field : shape.fields) {
        if (field.within) self(self, *field.within);
      }
      if (std::find(out.begin(), out.end(), &shape) == out.end()) out.push_back(&shape);
    };
    for (const ChangeKind kind : {ChangeKind::kThread, ChangeKind::kParticipant, ChangeKind::kMessage,
                                  ChangeKind::kCard, ChangeKind::kTab})
      add(add, ShapeOf(kind));
    add(add, EntryShape());
    return out;
  }();
  return all;
}

const CompactShape& ChangeShape() {
  static const CompactShape shape{.name = "Change", .fields = {}, .is_change = true};
  return shape;
}

std::string CompactRules(const ReplyShapes& all_replies) {
  std::string items, events, replies;
  std::vector<const CompactShape*> in_events;
  for (const EventKindInfo& info : kEventKinds) {
    if (!info.item) continue;
    in_events.push_back(&ShapeOf(*info.item));
    AddMember(&events, info.name, "{\"item\":" + JsonText(in_events.back()->name) + "}");
  }
  AddMember(&events, NameOf(EventKind::kInboxUpdated), "{\"entry\":" + JsonText(EntryShape().name) + "}");
  for (const CompactShape* shape : AllShapes())
    AddMember(&items, shape->name,
              RuleOf(*shape, std::find(in_events.begin(), in_events.end(), shape) != in_events.end()));
  for (const auto& [op, reply] : all_replies) AddMember(&replies, op, PagesText(reply));
  return R"({"items":{)" + items + R"(},"events":{)" + events + R"(},"replies":{)" + replies + "}}";
}

}  // namespace parley::protocol
