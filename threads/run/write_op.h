// Makes the rows of ops that write, and runs their commands.
//
// Thread contract: as in operation.h.
#pragma once

#include <string_view>
#include <utility>

#include "threads/judge/judge.h"
#include "threads/run/operation.h"
#include "threads/run/record_op.h"

namespace parley::threads {

// Loads the rows that a command needs, decides, and records acts of staff in the same commit.
template <class Command>
Result<Decision> Run(Transaction& tx, const Caller& caller, const typename Command::Op::Args& args,
                     const Judged* judged = nullptr) {
  PARLEY_TRY(loaded, Command::Load(tx, caller, args));
  if constexpr (requires { loaded.judged; }) {
    if (judged) loaded.judged = *judged;
  }
  Result<Decision> decided = Command::Decide(std::move(loaded), caller, args, tx.limits(), tx.moment());
  if (!decided.ok() || !caller.is_staff()) return decided;
  std::string_view reason;
  if constexpr (requires { args.reason->value; }) reason = args.reason ? args.reason->value : reason;
  PARLEY_CHECK_OK(RecordStaffOp(tx, caller, Command::Op::kName, reason, &*decided));
  return decided;
}

template <class Command>
Operation WriteOp(Waits waits = Waits::kNothing) {
  using Op = typename Command::Op;
  static_assert(Op::kKind == protocol::OpKind::kWrite);
  Operation row = OpRow<Op>(waits);
  if (HasShownText<Op>()) row.texts = [](const void* args) { return TextsOf<Op>(BoundArgs<Op>(args)); };
  row.decide = [](Transaction& tx, const Caller& caller, const void* args, const Judged* judged) {
    return Run<Command>(tx, caller, BoundArgs<Op>(args), judged);
  };
  return row;
}

}  // namespace parley::threads
