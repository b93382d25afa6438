// The commands of parleyctl for a running server, as data: the words of a command, its route, and the part of
// the response that is shown. A parameter is sent in the path if the path names it, otherwise in the query
// (GET, DELETE) or in the body, under its name there.
#pragma once

#include <string>
#include <string_view>
#include <vector>

namespace parley::ctl {

struct Parameter {
  enum class Type : uint8_t { kText, kNumber, kFlag, kList, kJson, kFile };  // kFile: the file's text
  std::string_view name;  // the route's name: "displayName"; its flag is --display-name
  std::string_view about;
  Type type = Type::kText;
  bool positional = false;  // a word of its own, without a flag
  bool required = false;
};

struct Command {
  std::string_view noun, verb, about;
  std::string_view method, path;
  std::vector<Parameter> parameters = {};
  std::string_view member = {};                // the member of the response to show; empty: all of it
  std::vector<std::string_view> columns = {};  // a list: the members to show to people
  std::string_view secret = {};                // the member that --secret-file stores
  std::string_view acts_as = {};               // the parameter that names the user a service acts as

  bool is_list() const { return !columns.empty(); }
  bool names(std::string_view parameter) const;  // in its path
};

const std::vector<Command>& Commands();
const Command* FindCommand(std::string_view noun, std::string_view verb);

// "--display-name"
std::string FlagOf(const Parameter& parameter);

}  // namespace parley::ctl
