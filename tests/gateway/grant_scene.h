// Requests over HTTP by callers of every kind, for permissions, invitations and integration events.
#pragma once

#include <gtest/gtest.h>

#include <memory>
#include <string>
#include <utility>
#include <vector>

#include "accounts/tenants/tenant_directory.h"
#include "gateway/app/node.h"
#include "tests/gateway/fake_server_support.h"
#include "tests/gateway/response_text.h"

namespace parley::gateway_test {

using gateway::HttpResponse;

inline const std::string kPermissions = "/v1/permissions";

// A refusal without its corrId, for comparisons.
inline std::string WithoutCorrId(const HttpResponse& response) {
  const std::string id = Body(response).Text("error.corrId");
  std::string out = response.body;
  out.replace(out.find(id), id.size(), "");
  return out;
}

class GrantsTest : public testing::Test {
 protected:
  HttpResponse Ask(const std::string& who, const std::string& method, const std::string& target,
                   const std::string& body = "", FakeServer::Headers headers = {}) {
    headers.emplace_back("Authorization", "Bearer " + Credential(who));
    return world_->Http(method, target, body, std::move(headers));
  }
  std::string Credential(const std::string& who) {
    if (who == "service") return world_->service_key();
    return world_->Token(who, who.starts_with("admin") ? "admin" : "member");
  }
  std::string Judge(const std::string& who, const std::string& method, const std::string& target,
                    const std::string& body = "") {
    return Verdict(Ask(who, method, target, body));
  }
  // Reads a list page by page and returns the text at `member` of each item.
  std::vector<std::string> Walk(const std::string& who, const std::string& target,
                                const std::string& member) {
    std::vector<std::string> out;
    std::string cursor;
    do {
      const bool asks = target.find('?') != std::string::npos;
      const Frame page = Body(Ask(who, "GET", target + (cursor.empty() ? "" : (asks ? "&" : "?") + cursor)));
      for (size_t i = 0; i < page.Size("items"); ++i)
        out.push_back(page.Text("items." + std::to_string(i) + "." + member));
      cursor = page.Json("cursor") == "null" ? "" : "cursor=" + page.Text("cursor");
    } while (!cursor.empty() && out.size() < 1000);
    return out;
  }
  void SetStatus(accounts::TenantStatus status) {
    accounts::TenantDirectory& tenants = world_->node().tenants();
    auto tenant = std::make_shared<accounts::Tenant>(*tenants.Find("demo"));
    tenant->status = status;
    tenants.Publish(std::move(tenant), ++changes_);
  }

  World world_{DemoConfig()};
  uint64_t changes_ = 1'000'000;
};

}  // namespace parley::gateway_test
