// The command tab.put, which replaces the content of a tab if the caller saw its present version.
#pragma once

#include <optional>
#include <vector>

#include "protocol/ops/panel.h"
#include "threads/engine/transaction.h"
#include "threads/files/show_file.h"

namespace parley::threads {

struct PutTab {
  using Op = protocol::TabPut;
  struct Loaded {
    Standing standing;
    std::optional<TabRow> tab;  // null: not written yet
    protocol::Document content;
    std::vector<NamedFile> files;
  };
  static Result<Loaded> Load(Transaction& tx, const Caller& caller, const Op::Args& args);
  static Result<Decision> Decide(const Loaded& loaded, const Caller& caller, const Op::Args& args,
                                 const SizeLimits& limits, Moment moment);
};

}  // namespace parley::threads
