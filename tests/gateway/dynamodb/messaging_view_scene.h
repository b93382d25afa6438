// Messaging in one tenant, read through the table `messaging` with signed requests.
#pragma once

#include <gtest/gtest.h>

#include <map>
#include <string>
#include <vector>

#include "gateway/app/node.h"
#include "tests/accounts/signed_support.h"
#include "tests/gateway/fake_server_support.h"

namespace parley::gateway_test {

// A value in the expression's attribute values, after others.
inline std::string Value(const std::string& name, const std::string& text) {
  return ",\":" + name + "\":" + Args({{"S", text}});
}

class MessagingView : public testing::Test {
 protected:
  MessagingView() {
    const Frame key = Frame(protocol::Encoding::kJson, world_->Http("POST", "/v1/demo/table-key").body);
    own_ = {key.Text("accessKeyId"), key.Text("secretAccessKey")};
  }
  struct Key {
    std::string id, secret;
  };
  Key KeyOf(const std::string& tenant) {
    Key out;
    accounts::Tenant owner;
    owner.id = {protocol::KeyText::UpToNul(tenant)};
    owner.status = accounts::TenantStatus::kActive;
    world_->node().tenants().Publish(std::make_shared<const accounts::Tenant>(owner), 1);
    world_->node().table_keys().Make({protocol::KeyText::UpToNul(tenant)}, {"", {}, false, ""},
                                     world_.clock().Now(), [&](auto made) {
                                       out = {made->key->id.ToText(), made->secret};
                                     });
    world_->Settle();
    return out;
  }
  gateway::HttpResponse Call(const std::string& operation, const std::string& body) {
    accounts::Signed request{"", "POST", "/", {{"X-Amz-Target", "DynamoDB_20120810." + operation}}, body};
    accounts::SignNow(&request, world_.clock().Now().ms / 1000, own_.id, own_.secret);
    return world_->Http(request.method, request.target, body, request.headers);
  }
  Frame Ask(const std::string& operation, const std::string& members) {
    const auto response = Call(operation, "{\"TableName\":\"messaging\"," + members + "}");
    EXPECT_EQ(response.status, 200) << response.body;
    return Frame(protocol::Encoding::kJson, response.body);
  }
  std::string Refusal(const std::string& operation, const std::string& members) {
    return Call(operation, "{\"TableName\":\"messaging\"," + members + "}").body;
  }

  // The members of a Query: the partition, then `condition` on the sort key.
  static std::string Of(const std::string& hash, const std::string& value, const std::string& condition = "",
                        const std::string& values = "") {
    return "\"KeyConditionExpression\":\"" + hash + " = :h" + (condition.empty() ? "" : " AND ") + condition +
           "\",\"ExpressionAttributeValues\":{\":h\":" + Args({{"S", value}}) + values + "}";
  }
  static std::string OfInbox(const std::string& user) {
    return "\"IndexName\":\"GSI1\"," + Of("GSI1PK", "PARTICIPANT#" + user);
  }
  static std::string OfProject(const std::string& value) {
    return "\"IndexName\":\"GSI2\"," + Of("GSI2PK", value);
  }
  std::string OfThread(const std::string& condition = "", const std::string& values = "") const {
    return Of("pk", "THR#" + thread_, condition, values);
  }
  std::string KeyOfRow(const std::string& sort) const {
    return R"({"pk":{"S":"THR#)" + thread_ + R"("},"sk":)" + Args({{"S", sort}}) + "}";
  }
  std::string KeyMember(const std::string& sort) const { return "\"Key\":" + KeyOfRow(sort); }
  static std::vector<std::string> Texts(const Frame& page, const std::string& name) {
    std::vector<std::string> out;
    for (size_t i = 0; i < page.Size("Items"); ++i)
      out.push_back(page.Text("Items." + std::to_string(i) + "." + name + ".S"));
    return out;
  }
  std::vector<std::string> Sorts(const std::string& members) { return Texts(Ask("Query", members), "sk"); }
  // The thread ids of an index's rows.
  std::vector<std::string> Threads(const std::string& members) {
    auto out = Texts(Ask("Query", members), "pk");
    for (std::string& pk : out) pk = names_.contains(pk.substr(4)) ? names_[pk.substr(4)] : pk;
    return out;
  }
  // The same over pages of `limit`; fails the test if a page is longer.
  std::vector<std::string> Paged(const std::string& members, size_t limit) {
    std::vector<std::string> out;
    std::string start;
    for (int pages = 0; pages < 100; ++pages) {
      const Frame page = Ask("Query", members + ",\"Limit\":" + std::to_string(limit) + start);
      EXPECT_LE(page.Int("ScannedCount"), static_cast<int64_t>(limit));
      for (size_t i = 0; i < page.Size("Items"); ++i)
        out.push_back(page.Text("Items." + std::to_string(i) + ".pk.S") + " " +
                      page.Text("Items." + std::to_string(i) + ".sk.S"));
      if (!page.Has("LastEvaluatedKey")) return out;
      start = ",\"ExclusiveStartKey\":" + page.Json("LastEvaluatedKey");
    }
    ADD_FAILURE() << "pages without end";
    return out;
  }

  std::string Create(const std::string& name, const std::string& more) {
    const Frame made = ann_.Ask("thread.create", R"({"clientId":")" + name + "\"," + more + "}");
    EXPECT_TRUE(made.ok()) << made.Json();
    const std::string thread = made.Text("ok.thread.threadId");
    names_[thread] = name;
    world_->Advance(1'000);
    return thread;
  }
  std::string Project(const std::string& name, const std::string& more = "") {
    return Create(name, R"("kind":"project","buyerUserId":"ann","sellerUserId":"bob")" + more);
  }
  std::string In(const std::string& more = "") const {
    return "{\"threadId\":\"" + thread_ + "\"" + more + "}";
  }
  Frame Do(FakeClient& who, const std::string& op, const std::string& more) {
    Frame done = who.Ask(op, In(more));
    EXPECT_TRUE(done.ok()) << op << " " << done.Json();
    world_->Advance(1'000);
    return done;
  }
  std::string Say(FakeClient& who, const std::string& body) {
    const Frame said =
        Do(who, "message.send", R"(,"type":"text","clientId":")" + body + R"(","body":")" + body + "\"");
    return said.Text("ok.messageId");
  }
  std::string CardOf(FakeClient& who, const std::string& type, const std::string& payload,
                     const std::string& more = "") {
    return Do(who, "card.create",
              R"(,"clientId":")" + type + R"(","type":")" + type + R"(","payload":)" + payload + more)
        .Text("ok.messageId");
  }
  // A service sends a picture of its own store for ann.
  void ImportPicture() {
    const std::string args = In(
        R"(,"type":"asset","clientId":"a","body":"","nsfwBand":1,"attachments":[{"kind":"preview","s3Key":"k/1","mime":"image/png","w":3,"h":4}])");
    const auto sent = world_->Http("POST", "/v1/ops/message.send", args,
                                   {{"Authorization", "Bearer " + world_->service_key()},
                                    {"Content-Type", "application/json"},
                                    {"Parley-User", "ann"}});
    EXPECT_EQ(sent.status, 200) << sent.body;
    world_->Advance(1'000);
  }
  // Creates a project that contains an item of every kind.
  void Furnish() {
    thread_ = Project(
        "T", R"(,"lbgId":"lbg_1","legId":"leg_1","city":"Houston","participants":[{"userId":"carol"}])");
    first_ = Say(ann_, "one");
    Say(bob_, "two");
    ImportPicture();
    Do(ann_, "tab.put", R"(,"tab":"brief","version":0,"content":{"title":"x"})");
    card_ = CardOf(ann_, "RESCHEDULE", kTime,
                   R"(,"expiresAt":")" + protocol::FormatTime({world_.clock().Now().ms + kCardMs}) + "\"");
  }

  static constexpr int64_t kCardMs = 600'000;
  static constexpr const char* kTime =
      R"({"newStart":"2026-01-02T10:00:00.000Z","newEnd":"2026-01-02T12:00:00.000Z"})";
  World world_{DemoConfig()};
  FakeClient ann_ = world_->Join("ann"), bob_ = world_->Join("bob"), carol_ = world_->Join("carol");
  Key own_;
  std::string thread_, first_, card_;
  std::map<std::string, std::string> names_;
};

// The sort key of a message.
std::string MessageSort(const std::string& id) {
  return "MSG#" + protocol::FormatTime(protocol::MessageId::FromText(id)->ulid.time()) + "#" + id;
}

}  // namespace parley::gateway_test
