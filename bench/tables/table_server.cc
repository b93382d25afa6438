#include "bench/tables/table_server.h"

#include <arpa/inet.h>
#include <unistd.h>

#include <charconv>

#include "bench/net/wire_view.h"

namespace parley::bench {
namespace {

constexpr size_t kFillItems = 25;  // per batch

// Sums the integers after every `before`.
uint64_t SumOf(std::string_view text, std::string_view before) {
  uint64_t sum = 0;
  for (size_t at = text.find(before); at != std::string_view::npos; at = text.find(before, at + 1)) {
    uint64_t one = 0;
    std::from_chars(text.data() + at + before.size(), text.data() + text.size(), one);
    sum += one;
  }
  return sum;
}

std::string Cut(const std::string& text) {
  return text.substr(0, 160);
}

}  // namespace

TableServer::TableServer(std::string name, std::unique_ptr<ServerProcess> ours,
                         std::unique_ptr<ForeignServer> theirs, std::unique_ptr<ScratchDir> dir)
    : name_(std::move(name)), dir_(std::move(dir)), ours_(std::move(ours)), theirs_(std::move(theirs)) {
  if (theirs_) fault_ = theirs_->fault();
}

std::unique_ptr<TableServer> TableServer::StartParley(const std::string& binary, const std::string& scratch) {
  auto dir = std::make_unique<ScratchDir>(scratch);
  auto process = std::make_unique<ServerProcess>(binary, dir->path());
  std::unique_ptr<TableServer> server(new TableServer("Parley", std::move(process), nullptr, std::move(dir)));
  const auto key = HttpPost(server->address(), "/v1/demo/table-key", "{}");
  const auto id = key ? FindText(protocol::Encoding::kJson, *key, "accessKeyId") : std::nullopt;
  const auto secret = key ? FindText(protocol::Encoding::kJson, *key, "secretAccessKey") : std::nullopt;
  if (id && secret) {
    server->credentials_ = {std::string(*id), std::string(*secret)};
  } else {
    server->fault_ = "gave no table key";
  }
  return server;
}

std::unique_ptr<TableServer> TableServer::Foreign(std::string name, const std::string& scratch,
                                                  const std::string& program,
                                                  const ForeignServer::Command& words) {
  auto process = std::make_unique<ForeignServer>(scratch, words);
  std::unique_ptr<TableServer> server(new TableServer(std::move(name), nullptr, std::move(process), nullptr));
  if (access(program.c_str(), R_OK) != 0) server->fault_ = "is not installed: no " + program;
  return server;
}

std::unique_ptr<TableServer> TableServer::StartDynalite(const std::string& modules,
                                                        const std::string& scratch) {
  const std::string program = modules + "/dynalite/cli.js";
  return Foreign("dynalite", scratch, program, [&](const std::string& dir, uint16_t port) {
    return std::vector<std::string>{
        "node",   program,     "--host",          "127.0.0.1", "--port", std::to_string(port),
        "--path", dir + "/db", "--createTableMs", "0"};
  });
}

std::unique_ptr<TableServer> TableServer::StartDynoxide(const std::string& modules,
                                                        const std::string& scratch) {
  const std::string program = modules + "/@dynoxide/linux-x64/dynoxide";
  return Foreign("dynoxide", scratch, program, [&](const std::string& dir, uint16_t port) {
    return std::vector<std::string>{program,     "serve",           "--host",
                                    "127.0.0.1", "--port",          std::to_string(port),
                                    "--db-path", dir + "/tables.db"};
  });
}

RequestSigner TableServer::Signer() const {
  return {credentials_, "127.0.0.1:" + std::to_string(ntohs(address().sin_port)), std::time(nullptr)};
}

HttpAnswer TableServer::Ask(std::string_view operation, const std::string& body) const {
  return CallHttp(address(), Signer().Request(operation, body));
}

void TableServer::Create() {
  if (const HttpAnswer made = Ask("CreateTable", CreateTableBody()); made.status != 200) {
    fault_ = "made no table: " + Cut(made.body);
    return;
  }
  const std::string which = R"({"TableName":")" + std::string(kDocumentTable) + "\"}";
  for (int i = 0; i < 200; ++i) {
    if (Ask("DescribeTable", which).body.find(R"("TableStatus":"ACTIVE")") != std::string::npos) return;
    usleep(20'000);
  }
  fault_ = "its table did not become active";
}

void TableServer::Fill(size_t items) {
  if (fault_.empty() && theirs_) Create();
  for (size_t first = 0; fault_.empty() && first < items; first += kFillItems) {
    const HttpAnswer filled = Ask("BatchWriteItem", FillBody(first, std::min(kFillItems, items - first)));
    if (filled.status != 200 || filled.body.find("PutRequest") != std::string::npos)
      fault_ = "did not take the items: " + Cut(filled.body);
  }
}

std::string TableServer::Refusal(const TablePlan& plan, TableOp op) {
  const TableOpInfo& info = Describe(op);
  const HttpAnswer answer = Ask(info.name, RequestBody(plan, op, 0, 0));
  if (answer.status != 200 || answer.body.find(info.expected) == std::string::npos)
    return Cut(answer.status == 0 ? "no answer" : answer.body);
  updates += static_cast<uint64_t>(info.updates);
  return {};
}

std::optional<TableServer::Contents> TableServer::Count() const {
  Contents contents;
  std::string start;
  do {
    const HttpAnswer page = Ask("Scan", ScanBody(start));
    if (page.status != 200) return std::nullopt;
    contents.items += SumOf(page.body, R"("Count":)");
    contents.updates += SumOf(page.body, R"("version":{"N":")");
    start = FindValue(protocol::Encoding::kJson, page.body, "LastEvaluatedKey").value_or("");
  } while (!start.empty());
  return contents;
}

}  // namespace parley::bench
