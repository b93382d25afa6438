// Lists of ops: the core's (all.h), and those of features, which features/ops.h joins to one.
#pragma once

namespace parley::protocol {

template <class... Ops>
struct OpList {};

// Calls `f` for each op, as a template argument.
template <class F, class... Ops>
void ForEachOp(OpList<Ops...>, F&& f) {
  (f.template operator()<Ops>(), ...);
}

namespace op_list_internal {

template <class... Ops>
OpList<Ops...> Join(OpList<Ops...>);
template <class... A, class... B, class... Rest>
auto Join(OpList<A...>, OpList<B...>, Rest... rest) {
  return Join(OpList<A..., B...>(), rest...);
}

}  // namespace op_list_internal

template <class... Lists>
using JoinedOps = decltype(op_list_internal::Join(Lists()...));

}  // namespace parley::protocol
