// A person in the simulation who writes to people they do not know: a device that remembers its requests
// until they are answered, and passes on every frame that it receives for judgement.
#pragma once

#include <functional>
#include <map>
#include <string>
#include <vector>

#include "tests/sim/line_support.h"

namespace parley::sim {

// The strangers' tenant has no limits, and its text policy is off.
inline const std::string kStrangersTenant = "strangers";
std::string StrangersToken(Process& process, const std::string& user, const std::string& role);

// A request whose outcome matters beyond the connection that it was made on.
struct Errand {
  // If `ok` is null and the code is empty, the answer will not come, and the outcome is unknown.
  using Done = std::function<void(const protocol::Value* ok, const std::string& code)>;
  size_t person = 0;
  std::string op, args;  // JSON
  Done done;
  size_t lost = 0;  // how often the answer was lost
};

class Stranger final : public Line {
 public:
  using Received = std::function<void(std::string_view bytes)>;
  using EventHandler = std::function<void(const protocol::Value& event)>;
  Stranger(std::string user, bool json, uint64_t seed, std::vector<std::string>* complaints,
           Received received, EventHandler on_event)
      : Line(std::move(user), json, seed, complaints),
        received_(std::move(received)),
        on_event_(std::move(on_event)) {}

  void Come(Process& process, size_t io);
  // Disconnects, unless a request is under way.
  void Go();
  bool ready() const { return ready_ && connected() && !closed_by_server(); }
  bool idle() const { return errands_.empty(); }
  // REQUIRES: ready. Calls `done` once.
  void Run(const Errand& errand);

 private:
  void OnEvent(const protocol::Value& event) override { on_event_(event); }
  void OnReceived(std::string_view bytes) override { received_(bytes); }
  void OnLineLost() override;
  void OnClosed(uint16_t code) override;
  std::string Token() const override { return StrangersToken(*process_, user(), "member"); }

  const Received received_;
  const EventHandler on_event_;
  Process* process_ = nullptr;
  bool ready_ = false;
  std::map<size_t, Errand::Done> errands_;
  size_t next_errand_ = 0;
};

}  // namespace parley::sim
