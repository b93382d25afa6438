#include "tests/threads/executor_scene.h"

namespace parley::threads {

Job JobFrom(const Call& call) {
  Job job;
  job.tenant = call.caller.tenant;
  const auto try_command = [&]<class Command>() {
    if (call.op != Command::Op::kName) return;
    auto args = ArgsOf<typename Command::Op::Args>(call);
    if constexpr (requires { args->thread_id; }) {
      if (args.ok()) job.thread = args->thread_id;
    }
    job.decide = [caller = call.caller, args](Transaction& tx) {
      return args.ok() ? Run<Command>(tx, caller, *args) : Result<Decision>(args.error());
    };
  };
  [&]<class... Commands>(CommandList<Commands...>) {
    (try_command.template operator()<Commands>(), ...);
  }(AllCommands{});
  return job;
}

}  // namespace parley::threads
