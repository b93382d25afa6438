// A user of a tenant that the simulated operator created: a device that talks in the tenant's one room,
// reconnects while it may, and checks that nothing of another tenant reaches it. Users of all tenants have
// the same ids.
#pragma once

#include <memory>
#include <string>
#include <vector>

#include "tests/sim/account_book_support.h"
#include "tests/sim/line_support.h"

namespace parley::sim {

// The mark that every text of the tenant contains.
std::string MarkOf(const std::string& tenant);
// Whether a frame that a user of this tenant received contains the mark of another tenant.
bool HasForeignMark(std::string_view received, const std::string& tenant);

class TenantUser final : public Line {
 public:
  TenantUser(std::string tenant, std::string user, bool json, uint64_t seed, Room* room,
             std::vector<std::string>* complaints)
      : Line(std::move(user), json, seed, complaints), tenant_(std::move(tenant)), room_(room) {}

  // Connects with a token of the family. Calls `done` with "" if it was let in, or with the code.
  using Done = std::function<void(const std::string& code)>;
  void Come(Process& process, size_t io, const std::string& token, KnownFamily* family, Done done);
  bool ready() const { return ready_; }
  // Connected, and not closed by the server.
  bool live() const { return ready_ && connected() && !closed_by_server(); }
  KnownFamily* family() const { return family_; }
  // The close code since the last call, or 0.
  uint16_t TakeCloseCode() { return std::exchange(close_code_, 0); }

  // Creates the room first, then sends messages.
  void Talk(const std::string& other, const std::string& client_id, const std::string& text);
  void Retry();

  size_t events() const { return events_; }

 private:
  void OnEvent(const protocol::Value& event) override;
  void OnLineLost() override { ready_ = false; }
  void OnClosed(uint16_t code) override { close_code_ = code; }
  void OnReceived(std::string_view bytes) override;
  std::string Token() const override { return token_; }
  void Send(Said& said);
  void Enter(const std::string& thread);

  const std::string tenant_;
  Room* const room_;
  std::string token_;
  KnownFamily* family_ = nullptr;
  bool ready_ = false;
  uint16_t close_code_ = 0;
  size_t events_ = 0;
};

}  // namespace parley::sim
