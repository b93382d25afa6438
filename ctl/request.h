// Builds the request of a command with its values, for its route.
#pragma once

#include <deque>
#include <string>
#include <vector>

#include "ctl/command.h"
#include "ctl/ctl.h"
#include "ctl/http_client.h"
#include "protocol/value.h"

namespace parley::ctl {

class Request {
 public:
  // `args` must outlive this.
  Request(const Command& command, const CtlArgs& args) : command_(command), args_(args) {}

  // Returns the fault of a value, or nothing.
  std::string Read();
  // `tenant`: the tenant, or empty if the key implies it.
  HttpAsk AskOf(const std::string& tenant) const;
  std::string Path(const std::string& tenant) const;

  // Continues a list after this page. The text must outlive this.
  void Continue(const std::string& cursor);
  void SetVersion(int64_t version);
  bool lacks_version() const;

 private:
  std::string Add(const Parameter& parameter, const std::string& text);
  std::string AddNumber(const Parameter& parameter, const std::string& text);
  std::string AddJson(const Parameter& parameter, const std::string& text);
  std::string AddFile(const Parameter& parameter, const std::string& path);
  bool has_body() const { return command_.method != "GET" && command_.method != "DELETE"; }
  std::string Query(const std::string& tenant) const;

  const Command& command_;
  const CtlArgs& args_;
  protocol::Map members_;
  std::vector<protocol::Document> documents_;  // members_ points into these
  std::deque<std::string> files_;              // and into these
};

// Reads a file; returns false if it cannot be read, or has more than a mebibyte.
bool ReadWhole(const std::string& path, std::string* out);

}  // namespace parley::ctl
