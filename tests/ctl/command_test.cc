// The commands of parleyctl name routes of the server with the server's own arguments.
#include "ctl/command.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <string>

#include "features/ops.h"
#include "gateway/http/route.h"

namespace parley::ctl_test {
namespace {

const gateway::HttpRoute* RouteOf(const ctl::Command& command) {
  for (const gateway::HttpRoute& route : gateway::AllRoutes()) {
    if (route.path == command.path && features::NameOf(route.method) == command.method) return &route;
  }
  return nullptr;
}

bool IsOpOverHttp(const ctl::Command& command) {
  bool found = false;
  protocol::ForEachOp(features::AllOps{}, [&]<class Op>() {
    if constexpr (Op::kKind != protocol::OpKind::kSession)
      found = found || command.path == "/v1/ops/" + std::string(Op::kName);
  });
  return found && command.method == "POST";
}

std::string NameOf(const ctl::Command& command) {
  return std::string(command.noun) + " " + std::string(command.verb);
}

TEST(CtlCommands, each_calls_a_route_or_an_op_of_the_server) {
  for (const ctl::Command& command : ctl::Commands())
    EXPECT_TRUE(RouteOf(command) || IsOpOverHttp(command))
        << NameOf(command) << ": " << command.method << " " << command.path;
}

TEST(CtlCommands, each_parameter_is_an_argument_of_its_route) {
  for (const ctl::Command& command : ctl::Commands()) {
    const gateway::HttpRoute* const route = RouteOf(command);
    if (!route) continue;
    const auto fields = route->fields();
    for (const ctl::Parameter& parameter : command.parameters)
      EXPECT_TRUE(std::ranges::any_of(fields, [&](const auto& f) { return f.name == parameter.name; }))
          << NameOf(command) << ": " << parameter.name;
  }
}

TEST(CtlCommands, each_argument_that_a_route_requires_is_a_required_parameter) {
  for (const ctl::Command& command : ctl::Commands()) {
    const gateway::HttpRoute* const route = RouteOf(command);
    if (!route) continue;
    for (const gateway::HttpRoute::Field& field : route->fields()) {
      // --tenant supplies the tenant, and a change without a version is based on the present one.
      if (!field.required || field.name == "tenantId" || field.name == "version") continue;
      const auto& known = command.parameters;
      EXPECT_TRUE(
          std::ranges::any_of(known, [&](const auto& p) { return p.name == field.name && p.required; }))
          << NameOf(command) << ": " << field.name;
    }
  }
}

}  // namespace
}  // namespace parley::ctl_test
