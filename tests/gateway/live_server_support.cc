#include "tests/gateway/live_server_support.h"
#include "tests/storage/memory_sealer.h"

#include <gtest/gtest.h>

#include <cstdlib>
#include <future>
#include <utility>

namespace parley::gateway_test {

LiveServer::LiveServer(LiveSettings settings) {
  settings.config.demo = true;
  if (settings.cold) table_.SetCold([](const auto&, const auto*) { return true; });
  std::vector<gateway::Transport*> transports;
  for (size_t i = 0; i < settings.io_threads; ++i) {
    transports_.push_back(gateway::NewTransport());
    transports.push_back(transports_.back().get());
  }
  node_ = std::make_unique<gateway::Node>(table_, clock_, *ids_, *transports[0], settings.config, metrics_,
                                          storage::SealerInMemory(table_.identity().secret));
  for (size_t i = 1; i < transports.size(); ++i) node_->AddIoThread(*transports[i]);
  EXPECT_EQ(node_->Open(), "");
  server_ = std::make_unique<gateway::Server>(*node_, transports, files_);
  settings.transport.share_port = settings.io_threads > 1;
  settings.transport.budget = std::make_shared<gateway::ConnectionBudget>();
  settings.transport.readers = node_->readers();
  for (size_t i = 0; i < transports.size(); ++i) {
    EXPECT_EQ(transports[i]->Listen(settings.transport, server_->handler(i)), "");
    settings.transport.port = port();
  }
  for (size_t i = 0; i < node_->executors().count(); ++i)
    workers_.emplace_back([this, i] { node_->executors().Run(i); });
  for (int64_t i = 0; i < settings.config.reader_threads; ++i)
    workers_.emplace_back([this] { node_->read_pool().Run(); });
  workers_.emplace_back([this] { node_->item_writer().Run(); });
  node_->password_hash_pool().Start(1);
  node_->signature_check_pool().Start(1);
  workers_.emplace_back([this] { node_->worker().Run(); });
  for (gateway::Transport* transport : transports) io_.emplace_back([transport] { transport->Run(); });
}

LiveServer::~LiveServer() {
  transports_[0]->Post([this] {
    server_->Drain([this] {
      for (auto& transport : transports_) transport->RequestStop();
    });
  });
  for (std::thread& thread : io_) thread.join();
  node_->signature_check_pool().Stop();
  node_->password_hash_pool().Stop();
  node_->read_pool().Stop();
  node_->executors().Stop();
  node_->item_writer().Stop();
  node_->worker().Stop();
  for (std::thread& thread : workers_) thread.join();
}

std::string LiveServer::Token(const std::string& user) const {
  accounts::Claims claims;
  claims.sub = user;
  claims.tid = accounts::kDemoTenant;
  claims.exp_s = clock_.Now().ms / 1000 + 3600;
  return accounts::SignHs256(claims, node_->tenants().Find(accounts::kDemoTenant)->signing_secret);
}

void LiveServer::OnLoop(const std::function<void()>& task, size_t io) {
  std::promise<void> done;
  transports_[io]->Post([&] {
    task();
    done.set_value();
  });
  done.get_future().wait();
}

double LiveServer::Metric(const std::string& name) {
  const std::string text = "\n" + metrics_.Render();
  const size_t at = text.find("\n" + name + " ");
  EXPECT_NE(at, std::string::npos) << name;
  return at == std::string::npos ? 0 : std::strtod(text.c_str() + at + name.size() + 2, nullptr);
}

}  // namespace parley::gateway_test
