#include "tests/threads/executor_scene.h"

namespace parley::threads {

Job JobFrom(const Call& call) {
  const Operation* op = FindOperation(call.op);
  Job job;
  job.tenant = call.caller.tenant;
  auto args = op->bind(DecodeOwn(call.args).root);
  if (args.ok()) job.thread = op->thread(args->get());
  job.decide = [caller = call.caller, op, args](Transaction& tx) {
    return args.ok() ? op->decide(tx, caller, args->get(), nullptr) : Result<Decision>(args.error());
  };
  return job;
}

}  // namespace parley::threads
