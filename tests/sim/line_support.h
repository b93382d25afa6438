// A device's connection to the server: one session over a fake connection, and plain requests over HTTP.
// Every request has one reply on either path.
#pragma once

#include <functional>
#include <map>
#include <memory>
#include <optional>
#include <random>
#include <string>
#include <vector>

#include "protocol/writer.h"
#include "tests/sim/process_support.h"
#include "tests/sim/value_support.h"

namespace parley::sim {

class Line {
 public:
  // `seed` decides which requests use HTTP.
  Line(std::string user, bool json, uint64_t seed, std::vector<std::string>* complaints)
      : user_(std::move(user)), json_(json), random_(seed), complaints_(complaints) {}
  virtual ~Line() = default;

  void Disconnect();
  void ProcessGone();  // the server died: the connection is dead without a close
  bool connected() const { return connection_ != nullptr; }
  void ReadAll();  // reads everything that has arrived
  void set_reads_itself(bool on);

  const std::string& user() const { return user_; }
  size_t outstanding() const { return waiting_.size() + posted_.size(); }
  // A digest of every frame that was read, in order.
  uint64_t received_digest() const { return digest_.value(); }
  size_t posts() const { return posts_; }  // answered requests over HTTP
  size_t io() const { return io_; }        // the I/O thread of the last connection

 protected:
  using OnReply = std::function<void(const protocol::Value* ok, const std::string& code)>;
  void Dial(Process& process, size_t io);
  // Sends over the session or, now and then, if the op allows it, over HTTP.
  void Request(const char* op, const protocol::Writer& args, OnReply done);
  void Complain(const std::string& what) { complaints_->push_back(user_ + ": " + what); }
  bool Chance(size_t in) { return random_() % in == 0; }
  // The frames that this session reads next are in the compact form and must be filled in.
  void set_compact(bool on) { compact_ = on; }
  bool compact() const { return compact_; }
  bool closed_by_server() const { return connection_ && connection_->closed(); }

  virtual void OnEvent(const protocol::Value& event) = 0;
  virtual void OnLineLost() = 0;
  // Called when the server closes the session.
  virtual void OnClosed(uint16_t code);
  // Called with every frame and every answer, as it came.
  virtual void OnReceived(std::string_view) {}
  virtual std::string Token() const { return process_->TokenOf(user_); }

 private:
  void Take(const gateway_test::FakeConnection::Payload& payload);
  bool FillIn(protocol::Document* frame);
  void Post(const char* op, const protocol::Writer& args, OnReply done);
  void TakePosted();
  void LineLost();

  const std::string user_;
  const bool json_;
  bool compact_ = false;
  std::mt19937_64 random_;
  std::vector<std::string>* complaints_;
  Process* process_ = nullptr;
  size_t io_ = 0;
  std::shared_ptr<gateway_test::FakeConnection> connection_;
  uint32_t next_id_ = 1;
  struct Waiting {
    std::string op;
    OnReply done;
  };
  std::map<uint32_t, Waiting> waiting_;
  struct Posted {
    std::shared_ptr<std::optional<gateway::HttpResponse>> answer;
    OnReply done;
  };
  std::vector<Posted> posted_;
  size_t posts_ = 0;
  Digest digest_;
};

}  // namespace parley::sim
