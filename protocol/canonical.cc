#include "protocol/canonical.h"

namespace parley::protocol {

void canonical_internal::PutInOrder(Writer& w, std::span<const Member> members,
                                    std::span<const size_t> order) {
  size_t given = 0;
  for (const auto& member : members) given += member.put != nullptr;
  w.BeginMap(given);
  for (const size_t i : order) {
    if (!members[i].put) continue;
    w.Text(members[i].name);
    members[i].put(w, members[i].member);
  }
}

void PutCanonical(Writer& w, const Value& v) {
  if (const Map* members = v.as_map()) {
    std::vector<const std::pair<std::string_view, Value>*> ordered;
    ordered.reserve(members->size());
    for (const auto& member : *members) ordered.push_back(&member);
    std::sort(ordered.begin(), ordered.end(),
              [](const auto* a, const auto* b) { return a->first < b->first; });
    w.BeginMap(ordered.size());
    for (const auto* member : ordered) {
      w.Text(member->first);
      PutCanonical(w, member->second);
    }
  } else if (const Array* items = v.as_array()) {
    w.BeginArray(items->size());
    for (const Value& item : *items) PutCanonical(w, item);
  } else {
    w.Put(v);
  }
}

// The value of a field without a schema: all of it counts, nulls included.
void PutCanonical(Writer& w, const Json& v) {
  const DecodeLimits own{v.msgpack.size(), 64, v.msgpack.size()};  // it came in a frame, which was bounded
  Document document;
  if (DecodeMsgpack(v.msgpack, own, &document)) return w.Raw(v.msgpack);
  PutCanonical(w, document.root);
}

}  // namespace parley::protocol
