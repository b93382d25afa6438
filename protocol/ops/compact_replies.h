// The compact form of replies: only items in pages become compact, which are lists of items and of changes.
// A reply's other fields stay, and so do items beside its lists.
//
// Thread contract: any thread.
#pragma once

#include <map>
#include <string>
#include <string_view>
#include <type_traits>

#include "protocol/compact.h"
#include "protocol/json_schema.h"
#include "protocol/message_items.h"
#include "protocol/ops/base.h"
#include "protocol/ops/list.h"

namespace parley::protocol {

struct ChangeItem;

// By op; only ops whose replies have pages.
using ReplyShapes = std::map<std::string_view, CompactShape>;

namespace compact_internal {

// nullptr unless T is an item.
template <class T>
const CompactShape* ItemShape() {
  if constexpr (std::is_same_v<T, Thread>) return &ShapeOf(ChangeKind::kThread);
  if constexpr (std::is_same_v<T, Participant>) return &ShapeOf(ChangeKind::kParticipant);
  if constexpr (std::is_same_v<T, Message>) return &ShapeOf(ChangeKind::kMessage);
  if constexpr (std::is_same_v<T, Card>) return &ShapeOf(ChangeKind::kCard);
  if constexpr (std::is_same_v<T, Tab>) return &ShapeOf(ChangeKind::kTab);
  if constexpr (std::is_same_v<T, Entry>) return &EntryShape();
  if constexpr (std::is_same_v<T, ChangeItem>) return &ChangeShape();
  return nullptr;
}

// nullptr unless M is a page.
template <class M>
const CompactShape* PageOf() {
  namespace in = schema_internal;
  if constexpr (in::IsOptional<M>::value || in::IsOmit<M>::value) {
    return PageOf<typename in::OptionalOf<M>::type>();
  } else if constexpr (in::EncodedKind<M>::kKind == 2) {
    return ItemShape<typename in::EncodedKind<M>::type>();
  } else {
    return nullptr;
  }
}

template <Described T>
CompactShape PagesOf() {
  CompactShape out;
  auto add = [&]<class C, class M>(std::string_view name, M C::*, std::string_view) {
    if (const CompactShape* page = PageOf<M>()) out.fields.push_back({name, Default::kNone, {}, page});
  };
  T::Fields(add);
  return out;
}

}  // namespace compact_internal

// Replies to writes have no pages.
template <class List>
ReplyShapes ReplyShapesOf(List ops) {
  ReplyShapes out;
  ForEachOp(ops, [&]<class Op>() {
    if constexpr (Op::kKind != OpKind::kWrite) {
      CompactShape pages = compact_internal::PagesOf<typename Op::Reply>();
      if (!pages.fields.empty()) out.emplace(Op::kName, std::move(pages));
    }
  });
  return out;
}

// The compact form as JSON, for documents and for readers in other languages:
//
//   {"items": {"Message": {"seq": {"default": 0, "frame": true},
//                          "attachments": {"default": [], "of": "Attachment"}, …}, …},
//    "events": {"message.created": {"item": "Message"}, …, "inbox.updated": {"entry": "Entry"}},
//    "replies": {"message.list": {"messages": "Message"}, …, "thread.changes": {"changes": "Change"}}}
//
// `frame`: in an event, a missing value is the frame's. `of`: the type of the value, or of each in its list.
// A Change is {seq, kind, item}, and its kind names the type of its item.
std::string CompactRules(const ReplyShapes& replies);

}  // namespace parley::protocol
