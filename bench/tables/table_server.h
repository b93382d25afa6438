// The servers that are compared: ours, and two other implementations of the same protocol, both with tables
// in files.
#pragma once

#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "bench/net/http_call.h"
#include "bench/process/foreign_server.h"
#include "bench/process/server_process.h"
#include "bench/tables/signer.h"
#include "bench/tables/table_requests.h"

namespace parley::bench {

class TableServer {
 public:
  static std::unique_ptr<TableServer> StartParley(const std::string& binary, const std::string& scratch);
  // `modules`: a directory of npm packages.
  static std::unique_ptr<TableServer> StartDynalite(const std::string& modules, const std::string& scratch);
  static std::unique_ptr<TableServer> StartDynoxide(const std::string& modules, const std::string& scratch);

  const std::string& name() const { return name_; }
  const std::string& fault() const { return fault_; }  // empty if it can be measured
  pid_t pid() const { return ours_ ? ours_->pid() : theirs_->pid(); }
  const sockaddr_in& address() const { return ours_ ? ours_->address() : theirs_->address(); }
  RequestSigner Signer() const;

  HttpAnswer Ask(std::string_view operation, const std::string& body) const;

  // Creates the table unless it is declared, and its items.
  void Fill(size_t items);
  // Returns nothing if it answers the operation as expected, otherwise its error.
  std::string Refusal(const TablePlan& plan, TableOp op);
  // The number of items and of their updates, counted in the items themselves.
  struct Contents {
    uint64_t items = 0, updates = 0;
  };
  std::optional<Contents> Count() const;

  uint64_t updates = 0;  // acknowledged

 private:
  TableServer(std::string name, std::unique_ptr<ServerProcess> ours, std::unique_ptr<ForeignServer> theirs,
              std::unique_ptr<ScratchDir> dir);
  static std::unique_ptr<TableServer> Foreign(std::string name, const std::string& scratch,
                                              const std::string& program,
                                              const ForeignServer::Command& words);
  void Create();

  const std::string name_;
  const std::unique_ptr<ScratchDir> dir_;
  const std::unique_ptr<ServerProcess> ours_;
  const std::unique_ptr<ForeignServer> theirs_;
  TableCredentials credentials_;
  std::string fault_;
};

}  // namespace parley::bench
