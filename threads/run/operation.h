// Describes each op of the protocol as a row: its name, its arguments, the indexes that it waits for, the
// record of its use by staff, and the function that carries it out. Each slice lists its rows in its
// operations.cc; the router carries out any row in the same way and knows no op by name.
//
// ReadOp, and WriteOp in write_op.h, make a row from the op and its function. The arguments are bound once,
// to the type that the op declares, and passed on as a pointer.
//
// Thread contract: rows are immutable. `bind`, `thread`, `about` and `texts` run on any thread, `read` on any
// thread with one snapshot, `decide` on an executor's.
#pragma once

#include <memory>
#include <optional>
#include <span>
#include <string_view>
#include <type_traits>

#include "protocol/bind.h"
#include "protocol/ops/base.h"
#include "threads/model/read_context.h"

namespace parley::threads {

class Transaction;
struct Decision;
struct Judged;
struct Texts;

using ArgsPtr = std::shared_ptr<const void>;  // an Op::Args of the row's op

// The indexes that must include every acknowledged write before the op starts, as a set of bits. kStrangers
// is the inbox index, too, but only if the tenant's rules require requests from strangers, and a late index
// does not stop the op.
enum class Waits : uint8_t {
  kNothing = 0,
  kInbox = 1,
  kProject = 2,
  kCards = 4,
  kAudit = 8,
  kStrangers = 16
};
constexpr Waits operator|(Waits a, Waits b) {
  return static_cast<Waits>(static_cast<uint8_t>(a) | static_cast<uint8_t>(b));
}
constexpr bool Includes(Waits set, Waits one) {
  return (static_cast<uint8_t>(set) & static_cast<uint8_t>(one)) != 0;
}

// The callers whose use of a read is recorded before it is answered.
enum class Recorded : uint8_t {
  kNobodys,
  kStaffInThread,    // in the access log of the thread that the args name
  kStaff,            // in the tenant's audit
  kStaffWhoSeesAll,  // likewise, except for staff bound to cases, who see only their own threads
};

struct Operation {
  std::string_view name;
  protocol::OpKind kind = protocol::OpKind::kRead;
  bool takes_client_id = false;  // a repeat of the op gets the first answer
  Waits waits = Waits::kNothing;
  Recorded recorded = Recorded::kNobodys;
  // BAD_REQUEST if the args do not fit the op.
  protocol::Result<ArgsPtr> (*bind)(const protocol::Value& value) = nullptr;
  // The thread and the user that the args name; nullopt if they name none.
  std::optional<ThreadId> (*thread)(const void* args) = nullptr;
  std::optional<UserId> (*about)(const void* args) = nullptr;
  // The texts that others will read; nullptr: the op has no such text.
  Texts (*texts)(const void* args) = nullptr;
  // Exactly one of the two, unless a feature handles the op itself.
  ReadAnswer (*read)(const ReadContext& context, const void* args) = nullptr;
  // `judged`: the text policy's verdict; nullptr: the texts are not judged.
  Result<Decision> (*decide)(Transaction& tx, const Caller& caller, const void* args,
                             const Judged* judged) = nullptr;
};

using Operations = std::span<const Operation>;

template <class Op>
const typename Op::Args& BoundArgs(const void* args) {
  return *static_cast<const typename Op::Args*>(args);
}

namespace operation_internal {

template <class Op>
protocol::Result<ArgsPtr> Bind(const protocol::Value& value) {
  auto args = std::make_shared<typename Op::Args>();
  if (auto bound = protocol::Bind(value, args.get()); !bound.ok()) return std::move(bound.error());
  return ArgsPtr(std::move(args));
}

template <class Op>
std::optional<ThreadId> ThreadOf(const void* args) {
  if constexpr (requires(typename Op::Args a) { std::optional<ThreadId>(a.thread_id); })
    return BoundArgs<Op>(args).thread_id;
  return std::nullopt;
}

template <class Op>
std::optional<UserId> UserOf(const void* args) {
  if constexpr (requires(typename Op::Args a) { std::optional<UserId>(a.user_id); })
    return BoundArgs<Op>(args).user_id;
  return std::nullopt;
}

template <class Op>
constexpr bool kNamesAThread = requires(typename Op::Args a) {
  requires std::is_same_v<decltype(a.thread_id), ThreadId>;
};

}  // namespace operation_internal

// Makes a row without a function, for ops that a feature handles itself.
template <class Op>
Operation OpRow(Waits waits = Waits::kNothing) {
  namespace in = operation_internal;
  Operation row;
  row.name = Op::kName;
  row.kind = Op::kKind;
  row.takes_client_id = requires(typename Op::Args args) {
    args.client_id;
  };
  row.waits = waits;
  row.bind = &in::Bind<Op>;
  row.thread = &in::ThreadOf<Op>;
  row.about = &in::UserOf<Op>;
  return row;
}

// `kRead`: ReadAnswer(const ReadContext&, const Op::Args&). Staff's use of a read that names a thread is
// recorded in that thread's access log.
template <class Op, auto kRead>
Operation ReadOp(Waits waits = Waits::kNothing, Recorded recorded = Recorded::kNobodys) {
  static_assert(Op::kKind == protocol::OpKind::kRead);
  Operation row = OpRow<Op>(waits);
  row.recorded = operation_internal::kNamesAThread<Op> ? Recorded::kStaffInThread : recorded;
  row.read = [](const ReadContext& context, const void* args) -> ReadAnswer {
    return kRead(context, BoundArgs<Op>(args));
  };
  return row;
}

}  // namespace parley::threads
