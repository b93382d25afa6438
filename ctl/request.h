// A command with its values, as the request that its route takes.
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
  // `args` outlives this.
  Request(const Command& command, const CtlArgs& args) : command_(command), args_(args) {}

  // Empty, or what is wrong with a value.
  std::string Read();
  // `tenant`: which one is meant, or empty where the key says it.
  HttpAsk AskOf(const std::string& tenant) const;
  std::string Path(const std::string& tenant) const;

  // Of a list: the page behind this one. The text outlives this.
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
  std::vector<protocol::Document> documents_;  // what members_ points into
  std::deque<std::string> files_;              // and this
};

// The text of a file; false: it cannot be read, or has more than a mebibyte.
bool ReadWhole(const std::string& path, std::string* out);

}  // namespace parley::ctl
