// Collects the texts of a request for the text policy from the ops' own Fields(), so that no text is
// forgotten. The table in texts.cc assigns a use to each; a text without a row is judged, and a test fails
// until it has one.
//
// Ids, numbers and times are not texts. Pure functions.
#pragma once

#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <type_traits>

#include "protocol/ops/cards.h"
#include "protocol/ops/lifecycle.h"
#include "protocol/ops/messages.h"
#include "protocol/ops/panel.h"
#include "protocol/schema.h"
#include "threads/model/caller.h"
#include "threads/model/thread_kinds.h"

namespace parley::threads {

using protocol::MessageId;
using protocol::ThreadId;

enum class TextUse : uint8_t {
  kBody,       // others read it; findings in it can be redacted
  kShown,      // others read it; a finding that would be redacted rejects the request
  kWord,       // one of a few words that the server knows, or a key for looking something up
  kOwn,        // only its author reads it
  kStaff,      // only the tenant's staff reads it: a reason, a report
  kNotPeople,  // written by services or staff, whose texts are not judged
};
struct TextField {
  std::string_view op, field;  // "message.send", "attachments.mime"
  TextUse use;
};
std::span<const TextField> TextFields();
// nullopt if the table has no such row.
std::optional<TextUse> FindTextUse(std::string_view op, std::string_view field);

// The texts of one request and their place.
struct Texts {
  ThreadId thread;      // zeros: it does not exist yet
  std::string body;     // text in which findings can be redacted
  std::string others;   // subjects, tabs, cards: findings in them cannot be redacted
  std::string repeat;   // key by which a repeat of the same request is recognised; empty: it has no key
  bool booked = false;  // for a project that does not exist yet
  bool spread = false;  // the same text is sent to several threads, which do not count together
  std::optional<MessageId> card = {};  // the card that is acted on; texts of a report may quote messages
  bool report = false;                 // the request creates a report
  bool readable = true;                // false: a part of them cannot be decoded, and so not judged
  bool empty() const { return body.empty() && others.empty(); }
};

namespace texts_internal {

template <class T>
concept Leaf = protocol::schema_internal::IsText<T>::value || std::is_same_v<T, protocol::Body> ||
    std::is_same_v<T, std::string> || std::is_same_v<T, protocol::Json>;

// Collects strings and the names of keys in open maps, with separators so that no phrase spans two of them.
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

// Visits the paths of the texts in the args of an op, for the test of the table.
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

// Calls `take` with the path of each text in the op's args.
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

// Exempts the texts of safety reports and disputes, which may quote messages.
void ExemptReport(const protocol::CardCreate::Args& args, Texts* out);

// The args without ids of uploads, which are no texts, and without copies of uploads, which the server
// replaces.
protocol::CardCreate::Args Judgeable(protocol::CardCreate::Args args);
protocol::TabPut::Args Judgeable(protocol::TabPut::Args args);

template <class Op>
Texts TextsOf(const typename Op::Args& args) {
  Texts out;
  texts_internal::Collector collector(&out);
  if constexpr (requires { Judgeable(args); }) {
    texts_internal::Collect(Op::kName, std::string(), Judgeable(args), &collector);
  } else {
    texts_internal::Collect(Op::kName, std::string(), args, &collector);
  }
  collector.Finish();
  if constexpr (requires { out.thread = args.thread_id; }) out.thread = args.thread_id;
  if constexpr (requires { args.client_id.value.text(); }) out.repeat = args.client_id.value.text();
  if constexpr (requires { args.client_id->value.text(); }) {
    if (args.client_id) out.repeat = args.client_id->value.text();
  }
  if constexpr (std::is_same_v<Op, protocol::ThreadCreate>) out.booked = TraitsOf(args.kind).bookable;
  if constexpr (requires { Op::kSpread; }) out.spread = true;
  if constexpr (std::is_same_v<Op, protocol::CardAct>) out.card = args.message_id;
  if constexpr (std::is_same_v<Op, protocol::CardCreate>) ExemptReport(args, &out);
  return out;
}

}  // namespace parley::threads
