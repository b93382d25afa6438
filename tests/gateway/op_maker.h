// Makes the args of any op from a stream of choices: each argument by its type, valid or hostile.
#pragma once

#include <algorithm>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "protocol/ops/all.h"
#include "protocol/writer.h"
#include "tests/gateway/op_script_support.h"

namespace parley::gateway_test {

namespace in = protocol::schema_internal;
using protocol::Encoding;
using protocol::Writer;

// Marks the place in a text of something that its encoding can spell but no text may contain: half of a
// surrogate pair in JSON, bytes that are not UTF-8 in MessagePack. Both are six bytes long, like this mark.
inline constexpr std::string_view kNotText = "%LONE%";
inline constexpr std::string_view kLoneSurrogate = "\\ud800";
inline constexpr std::string_view kNotUtf8 = "\xff\xfe\xed\xa0\x80\xc0";

inline const std::vector<std::string_view> kUsers = {"ann", "bob", "cid", "dee", "sue"};
inline const std::vector<std::string_view> kEmoji = {"👍", "❤️", "👩🏽‍🚀", "🇩🇪"};
inline const std::vector<std::string_view> kIntents = {"accept", "decline", "counter", "approve",
                                                       "cancel", "resolve", "expire"};

// Cards with valid payloads, which Damage then changes.
struct CardModel {
  std::string_view type, payload;
};
inline const std::vector<CardModel> kCards = {
    {"RESCHEDULE",
     R"({"newStart":"2026-01-02T10:00:00.000Z","newEnd":"2026-01-02T12:00:00.000Z","note":"n"})"},
    {"EXTRA", R"({"items":[{"name":"x","qty":1,"unitCents":5}],"note":"more"})"},
    {"OVERTIME", R"({"minutes":30,"note":"late"})"},
    {"DELIVERABLE_PROOF", R"({"manifestRef":"https://m.example/m1","note":"look"})"},
    {"DELIVERABLE_FINAL", R"({"manifestRef":"https://m.example/m2"})"},
    {"SAFETY", R"({"reason":"r","severity":"low","notes":"n"})"},
    {"DISPUTE_OPEN", R"({"reason":"late"})"},
    {"LOCATION_SHARE", R"({"latE6":1,"lonE6":2,"until":"2027-01-01T00:00:00.000Z"})"},
    {"CUSTOM", R"({"a":{"b":["c"]}})"}};
inline const std::vector<std::string_view> kTabs = {
    R"({"title":"t","goals":"g","mustHaveShots":["one"]})",
    R"({"pins":[{"id":"p","url":"https://x.org","attribution":"me","nsfwBand":0,"comments":[{"by":"ann","text":"hi"}]}]})",
    R"({"shots":[{"id":"s","name":"wide","status":"done","owner":"bob"}]})",
    R"({"proofs":[],"finals":[{"manifestRef":"https://m.example/m"}]})",
    R"({"envelopes":[{"docId":"d","status":"signed","title":"Terms"}]})"};

template <class T>
struct Inner {};
template <class T>
struct Inner<std::optional<T>> {
  using type = T;
};
template <class T>
struct Inner<protocol::Clearable<T>> {
  using type = T;
};
template <class T>
struct Inner<protocol::Omit<T>> {
  using type = T;
};
template <class T>
inline constexpr bool kMayMiss =
    in::IsOptional<T>::value || in::IsClearable<T>::value || in::IsOmit<T>::value;

// Makes the args of one op. The result records whether it contains a U+0000 or something that is not text at
// all.
class Maker {
 public:
  // The names that the server returned so far, oldest first.
  struct Known {
    std::vector<std::string> threads, messages, texts;
  };

  Maker(Choices& choices, const Known& known) : choices_(choices), known_(known) {
    card_ = choices_.Below(static_cast<uint32_t>(kCards.size()));
    // Half of all ops have at most one fault, so that they pass all other checks.
    if (choices_.Below(2) == 0) only_ = choices_.Below(24);
  }

  template <class T>
  std::string Make(std::string_view name = "") {
    Writer w;
    if (Wrong(40)) {
      w.Raw(AnyKind());
    } else if constexpr (protocol::Described<T>) {
      w.Raw(MakeMap<T>());
    } else if constexpr (in::IsList<T>::value) {
      const uint32_t size = Wrong(60) ? 300 : choices_.Below(4);
      using Item = typename decltype(T::items)::value_type;
      w.BeginArray(size);
      for (uint32_t i = 0; i < size; ++i) w.Raw(Make<Item>(name));
    } else if constexpr (in::IsDictionary<T>::value) {
      w.BeginMap(1);
      w.Text(Id(known_.threads));
      w.Raw(Make<typename decltype(T::members)::value_type::second_type>());
    } else if constexpr (std::is_same_v<T, bool>) {
      w.Bool(choices_.Below(2) == 1);
    } else if constexpr (std::is_same_v<T, int64_t>) {
      w.Int(choices_.Below(9));
    } else if constexpr (in::IsBounded<T>::value) {
      w.Int(Wrong(30) ? -1 : static_cast<int64_t>(choices_.Below(9)));
    } else if constexpr (std::is_same_v<T, protocol::Json>) {
      w.Raw(JsonFor(name));
    } else {
      w.Text(TextFor<T>(name));
    }
    return w.Take();
  }

  std::string Hostile(size_t size_max) {
    switch (choices_.Below(11)) {
      case 0:
      case 10:
        return Nul("a", "b");
      case 1:
        return Nul("", "");
      case 2:
        not_text_ = true;
        return "x" + std::string(kNotText);
      case 3:
        return "";
      case 4:
        return std::string(std::min<size_t>(size_max, 70'000), 'z');
      case 5:
        return std::string(std::min<size_t>(size_max, 70'000) + 1, '[');
      case 6:  // right to left, an override, and marks on marks
        return "\u202e\u05d0\u0301\u0301\u200f\U0001F468\u200d\U0001F469\ufeff";
      case 7:
        return "\xf4\x8f\xbf\xbf\xef\xbf\xbf";  // the last code points
      case 8:
        return "\"\\</script>\r\n\t\x7f'; DROP";
      default:
        return "thrd_00000000000000000000000000";
    }
  }

  bool nul() const { return nul_; }
  bool not_text() const { return not_text_; }

 private:
  // Whether to put a fault at this place: one in n, or at the one chosen place.
  bool Wrong(uint32_t n) {
    if (only_ == kMany) return choices_.OneIn(n);
    return only_ <= 24 && only_-- == 0;
  }

  std::string Nul(std::string_view before, std::string_view after) {
    nul_ = true;
    return std::string(before) + '\0' + std::string(after);
  }

  template <class T>
  std::string MakeMap() {
    std::string members;
    size_t count = 0;
    auto add = [&]<class C, class M>(std::string_view name, M C::*, std::string_view) {
      if (kMayMiss<M> ? choices_.Below(2) == 0 : only_ == kMany && choices_.OneIn(60)) return;
      Writer w;
      w.Text(name);
      if constexpr (kMayMiss<M>) {
        if (choices_.OneIn(16)) {
          w.Nil();
        } else {
          w.Raw(Make<typename Inner<M>::type>(name));
        }
      } else {
        w.Raw(Make<M>(name));
      }
      members += w.Take();
      ++count;
    };
    T::Fields(add);
    if (Wrong(60)) {
      Writer w;
      w.Text(Hostile(300));
      w.Nil();
      members += w.Take();
      ++count;
    }
    Writer w;
    w.BeginMap(count);
    w.Raw(members);
    return w.Take();
  }

  std::string Id(const std::vector<std::string>& known) {
    if (Wrong(30)) return Hostile(64);
    if (known.empty()) return "thrd_00000000000000000000000001";
    // Usually the newest, so that the ops of a script share few threads.
    const size_t back = std::min<size_t>(choices_.Below(4), known.size() - 1);
    return known[known.size() - 1 - back];
  }
  std::string_view OneOf(const std::vector<std::string_view>& of) {
    return of[choices_.Below(static_cast<uint32_t>(of.size()))];
  }

  template <class T>
  std::string TextFor(std::string_view name) {
    if constexpr (std::is_same_v<T, protocol::ThreadId>) {
      return Id(known_.threads);
    } else if constexpr (std::is_same_v<T, protocol::MessageId>) {
      return Id(known_.messages);
    } else if constexpr (protocol::NamedEnum<T>) {
      if (Wrong(30)) return Hostile(64);
      constexpr auto& names = protocol::EnumNames<T>::kNames;
      return std::string(names[choices_.Below(static_cast<uint32_t>(std::size(names)))]);
    } else {
      if (Wrong(12)) return Hostile(SizeOf<T>());
      if constexpr (std::is_same_v<T, protocol::UserId>) return std::string(OneOf(kUsers));
      if constexpr (std::is_same_v<T, protocol::Time>)
        return protocol::FormatTime({1'762'351'927'000 + int64_t{choices_.Below(1000)} * 600'000});
      if (name == "type") return std::string(kCards[card_].type);
      if (name == "intent") return std::string(OneOf(kIntents));
      if (name == "emoji") return std::string(OneOf(kEmoji));
      if (name == "cursor" || name == "before" || name == "after" || name == "effectId")
        return Id(choices_.Below(2) ? known_.texts : known_.messages);
      return "t" + std::to_string(choices_.Below(6));
    }
  }
  template <class T>
  static constexpr size_t SizeOf() {
    if constexpr (requires { T::kMax; }) return T::kMax;
    return std::is_same_v<T, protocol::Body> ? 8'192 : 64;
  }

  // Nested lists, deep maps and numbers that no field accepts, for a field of another type.
  std::string AnyKind() {
    Writer w;
    switch (choices_.Below(6)) {
      case 0:
        w.Nil();
        break;
      case 1:
        w.Int(protocol::kMaxSafeInteger);
        break;
      case 2:
        w.Bool(true);
        break;
      case 3:
        for (int depth = 0; depth < 24; ++depth) w.BeginArray(1);
        w.Text(Hostile(64));
        break;
      case 4:
        w.BeginMap(1);
        w.Text(Hostile(64));
        w.Text("x");
        break;
      default:
        w.Text(Hostile(64));
    }
    return w.Take();
  }

  std::string JsonFor(std::string_view name) {
    std::string_view model = R"({"note":"n"})";
    if (name == "payload") model = kCards[card_].payload;
    if (name == "content" || name == "brief") model = name == "brief" ? kTabs[0] : OneOf(kTabs);
    protocol::Document document;
    if (protocol::DecodeJson(std::string(model), {}, &document)) std::abort();
    Writer w;
    Damage(document.root, &w);
    return w.Take();
  }
  // Copies the tree and now and then replaces a leaf or a name.
  void Damage(const protocol::Value& value, Writer* w) {
    if (const protocol::Array* items = value.as_array()) {
      w->BeginArray(items->size());
      for (const protocol::Value& item : *items) Damage(item, w);
    } else if (const protocol::Map* members = value.as_map()) {
      w->BeginMap(members->size());
      for (const auto& [key, member] : *members) {
        w->Text(Wrong(60) ? Hostile(64) : std::string(key));
        Damage(member, w);
      }
    } else if (Wrong(16)) {
      w->Raw(AnyKind());
    } else if (value.as_text() && Wrong(10)) {
      w->Text(Hostile(2'000));
    } else {
      w->Put(value);
    }
  }

  Choices& choices_;
  const Known& known_;
  static constexpr uint32_t kMany = 1'000'000;
  uint32_t only_ = kMany;  // places left before the one with the fault
  size_t card_ = 0;
  bool nul_ = false, not_text_ = false;
};

inline std::string Spelled(const std::string& msgpack, Encoding encoding) {
  std::string out = encoding == Encoding::kJson ? protocol::MsgpackToJson(msgpack) : msgpack;
  const std::string_view with = encoding == Encoding::kJson ? kLoneSurrogate : kNotUtf8;
  for (size_t at = 0; (at = out.find(kNotText, at)) != std::string::npos; at += with.size())
    out.replace(at, kNotText.size(), with);
  return out;
}

}  // namespace parley::gateway_test
