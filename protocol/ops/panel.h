// Ops of the project panel: its tabs.
#pragma once

#include "protocol/ops/base.h"

namespace parley::protocol {

struct TabReply {
  EncodedOf<Tab> tab;
  static constexpr void Fields(auto& field) { field("tab", &TabReply::tab, "the tab"); }
};

struct TabGet {
  static constexpr std::string_view kName = "tab.get";
  static constexpr OpKind kKind = OpKind::kRead;
  static constexpr std::string_view kDoc =
      "reads one tab of the panel; a tab that was never written has version 0 and no content";
  struct Args {
    ThreadId thread_id;
    TabName tab = TabName::kBrief;
    static constexpr void Fields(auto& field) {
      field("threadId", &Args::thread_id, "the thread");
      field("tab", &Args::tab, "the tab");
    }
  };
  using Reply = TabReply;
};

struct TabPut {
  static constexpr std::string_view kName = "tab.put";
  static constexpr OpKind kKind = OpKind::kWrite;
  static constexpr std::string_view kDoc =
      "replaces a tab's content; a version other than the tab's is PANEL_VERSION_CONFLICT with `current`";
  struct Args {
    ThreadId thread_id;
    TabName tab = TabName::kBrief;
    Seq version;
    Json content;
    static constexpr void Fields(auto& field) {
      field("threadId", &Args::thread_id, "the thread");
      field("tab", &Args::tab, "the tab");
      field("version", &Args::version, "the version this content is based on; 0: none yet");
      field("content", &Args::content, "all of the tab's content, according to its schema");
    }
  };
  using Reply = TabReply;
};

}  // namespace parley::protocol
