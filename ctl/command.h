// What parleyctl can ask of a running server, as data: how a command is called, which route answers it, what
// of the answer people see. A parameter is sent in the path where the path names it, else in the query (GET,
// DELETE) or in the body, by the name that it has there.
#pragma once

#include <string>
#include <string_view>
#include <vector>

namespace parley::ctl {

struct Parameter {
  enum class Type : uint8_t { kText, kNumber, kFlag, kList, kJson, kFile };  // kFile: the text in it
  std::string_view name;  // as the route has it: "displayName"; its flag is --display-name
  std::string_view about;
  Type type = Type::kText;
  bool positional = false;  // a word of its own, without a flag
  bool required = false;
};

struct Command {
  std::string_view noun, verb, about;
  std::string_view method, path;
  std::vector<Parameter> parameters = {};
  std::string_view member = {};                // of the answer, which is shown; empty: all of it
  std::vector<std::string_view> columns = {};  // a list, of which people see these members
  std::string_view secret = {};                // the member that --secret-file takes
  std::string_view acts_as = {};               // the parameter that says for which user a service acts

  bool is_list() const { return !columns.empty(); }
  bool is_op() const { return path.starts_with("/v1/ops/"); }
  bool names(std::string_view parameter) const;  // in its path
};

const std::vector<Command>& Commands();
const Command* FindCommand(std::string_view noun, std::string_view verb);

// "--display-name"
std::string FlagOf(const Parameter& parameter);

}  // namespace parley::ctl
