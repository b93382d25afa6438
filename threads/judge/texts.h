// The texts of a request, as the text policy judges them: collected from the ops' own Fields(), so that none
// is forgotten. The table in texts.cc says of each what becomes of it; one that has no line there is judged,
// and a test fails until it has.
//
// Ids are no texts, nor are numbers and times. Pure functions.
#pragma once

#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <type_traits>

#include "protocol/ops/cards.h"
#include "protocol/ops/lifecycle.h"
#include "protocol/ops/messages.h"
#include "protocol/schema.h"
#include "threads/model/caller.h"
#include "threads/model/thread_kinds.h"

namespace parley::threads {

using protocol::MessageId;
using protocol::ThreadId;

enum class TextUse : uint8_t {
  kBody,       // others read it; what is to be redacted in it can be
  kShown,      // others read it; what is to be redacted in it is refused instead
  kWord,       // one of a few that the server knows, or a name by which something is found
  kOwn,        // nobody but its author reads it
  kStaff,      // of the people of the tenant only staff read it: a reason, a report
  kNotPeople,  // services or staff write it, who are not judged
};
struct TextField {
  std::string_view op, field;  // "message.send", "attachments.mime"
  TextUse use;
};
std::span<const TextField> TextFields();
// nullopt: it has no line in the table.
std::optional<TextUse> FindTextUse(std::string_view op, std::string_view field);

// What the texts of one request say, and where.
struct Texts {
  ThreadId thread;      // zeros: it does not exist yet
  std::string body;     // what is to be redacted in it can be
  std::string others;   // subjects, tabs, cards: what is to be redacted in them is refused instead
  std::string repeat;   // what makes a repeat of the same request recognisable; empty: nothing
  bool booked = false;  // of a project that does not exist yet
  bool spread = false;  // the same text goes to several threads, which do not count together
  std::optional<MessageId> card = {};  // of one: reports say what was done, and may quote it
  bool report = false;                 // this is one
  bool readable = true;                // false: something in them cannot be read, and so not judged
  bool empty() const { return body.empty() && others.empty(); }
};

namespace texts_internal {

template <class T>
concept Leaf = protocol::schema_internal::IsText<T>::value || std::is_same_v<T, protocol::Body> ||
    std::is_same_v<T, std::string> || std::is_same_v<T, protocol::Json>;

// Strings and the names of keys in open maps, apart from each other so that no phrase is made of both.
class Collector {
 public:
  explicit Collector(Texts* out) : out_(out) {}
  void Take(TextUse use, std::string_view text);
  void Take(TextUse use, const protocol::Json& json);
  void Finish();

 private:
  Texts* const out_;
  std::string names_;
};

template <class T>
void Collect(std::string_view op, const std::string& field, const T& value, Collector* out) {
  if constexpr (protocol::schema_internal::IsOptional<T>::value) {
    if (value) Collect(op, field, *value, out);
  } else if constexpr (protocol::schema_internal::IsOmit<T>::value ||
                       protocol::schema_internal::IsClearable<T>::value) {
    if (value.value) Collect(op, field, *value.value, out);
  } else if constexpr (protocol::schema_internal::IsList<T>::value) {
    for (const auto& one : value.items) Collect(op, field, one, out);
  } else if constexpr (protocol::schema_internal::IsDictionary<T>::value) {
    for (const auto& [name, member] : value.members) {
      out->Take(FindTextUse(op, field).value_or(TextUse::kShown), name);
      Collect(op, field, member, out);
    }
  } else if constexpr (protocol::Described<T>) {
    auto member = [&]<class C, class M>(std::string_view name, M C::*place, std::string_view) {
      Collect(op, (field.empty() ? field : field + ".") + std::string(name), value.*place, out);
    };
    T::Fields(member);
  } else if constexpr (Leaf<T>) {
    const TextUse use = FindTextUse(op, field).value_or(TextUse::kShown);
    if constexpr (std::is_same_v<T, protocol::Json>) {
      out->Take(use, value);
    } else if constexpr (std::is_same_v<T, std::string>) {
      out->Take(use, value);
    } else {
      out->Take(use, std::string_view(value.value));
    }
  }
}

// The paths of the texts in the args of an op, for the test of the table.
template <class T>
void ForEachText(const std::string& field, auto&& take) {
  if constexpr (protocol::schema_internal::IsOptional<T>::value) {
    ForEachText<typename T::value_type>(field, take);
  } else if constexpr (protocol::schema_internal::IsOmit<T>::value ||
                       protocol::schema_internal::IsClearable<T>::value) {
    ForEachText<typename decltype(T::value)::value_type>(field, take);
  } else if constexpr (protocol::schema_internal::IsList<T>::value) {
    ForEachText<typename decltype(T::items)::value_type>(field, take);
  } else if constexpr (protocol::schema_internal::IsDictionary<T>::value) {
    take(field);
  } else if constexpr (protocol::Described<T>) {
    auto member = [&]<class C, class M>(std::string_view name, M C::*, std::string_view) {
      ForEachText<M>((field.empty() ? field : field + ".") + std::string(name), take);
    };
    T::Fields(member);
  } else if constexpr (Leaf<T>) {
    take(field);
  }
}

}  // namespace texts_internal

// "field" for each text of the op's args, wherever it lies in them.
template <class Op>
void ForEachText(auto&& take) {
  texts_internal::ForEachText<typename Op::Args>("", take);
}

// Whether others read a text of the op.
template <class Op>
bool HasShownText() {
  static const bool has = [] {
    bool found = false;
    ForEachText<Op>([&](const std::string& field) {
      const TextUse use = FindTextUse(Op::kName, field).value_or(TextUse::kShown);
      found |= use == TextUse::kBody || use == TextUse::kShown;
    });
    return found;
  }();
  return has;
}

// What safety reports and disputes say is not judged: they may quote what was said.
void ExemptReport(const protocol::CardCreate::Args& args, Texts* out);

template <class Op>
Texts TextsOf(const typename Op::Args& args) {
  Texts out;
  texts_internal::Collector collector(&out);
  texts_internal::Collect(Op::kName, std::string(), args, &collector);
  collector.Finish();
  if constexpr (requires { out.thread = args.thread_id; }) out.thread = args.thread_id;
  if constexpr (requires { args.client_id.value.text(); }) out.repeat = args.client_id.value.text();
  if constexpr (requires { args.client_id->value.text(); }) {
    if (args.client_id) out.repeat = args.client_id->value.text();
  }
  if constexpr (std::is_same_v<Op, protocol::ThreadCreate>) out.booked = TraitsOf(args.kind).bookable;
  if constexpr (std::is_same_v<Op, protocol::ThreadBroadcast>) out.spread = true;
  if constexpr (std::is_same_v<Op, protocol::CardAct>) out.card = args.message_id;
  if constexpr (std::is_same_v<Op, protocol::CardCreate>) ExemptReport(args, &out);
  return out;
}

}  // namespace parley::threads
