// Sessions of a load: real WebSockets after session.hello, driven from one thread.
#pragma once

#include <cstdint>
#include <functional>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <unordered_map>
#include <vector>

#include "bench/net/origin.h"
#include "bench/net/poller.h"
#include "bench/net/wire_view.h"
#include "bench/net/ws_client.h"

namespace parley::bench {

struct Target {
  Origin address;
  protocol::Encoding encoding = protocol::Encoding::kMsgpack;
  std::string deliver = "all";
  bool compact = false;  // requests the compact form of events, which an old server rejects
  // Returns the credential of a user; if not set, /v1/demo/token makes them.
  std::function<std::optional<std::string>(const std::string& user)> token;
};

// From the target, or from the tenant `demo` of its server; prints errors on stderr.
std::optional<std::string> TokenOf(const Target& target, const std::string& user);

// Whether the server at this address, which runs with --demo, knows `compact`.
bool KnowsCompact(const Target& target);

// An encoded (MessagePack) map of arguments, from pairs: Args({{"threadId", id}, {"limit", 50}}).
struct Arg {
  Arg(std::string_view t) : text(t), is_text(true) {}      // NOLINT: implicit, so that Args reads like a map
  Arg(const char* t) : Arg(std::string_view(t)) {}         // NOLINT
  Arg(const std::string& t) : Arg(std::string_view(t)) {}  // NOLINT
  Arg(int64_t n) : number(n) {}                            // NOLINT
  Arg(int n) : number(n) {}                                // NOLINT
  static Arg Encoded(std::string_view msgpack) {
    Arg arg(msgpack);
    arg.is_encoded = true;
    return arg;
  }
  std::string_view text;
  int64_t number = 0;
  bool is_text = false, is_encoded = false;
};
std::string Args(std::initializer_list<std::pair<std::string_view, Arg>> members);

class Fleet;

class LoadSession final : private WsClient::Sink {
 public:
  // `tag` is the caller's own mark, returned with the reply.
  class Listener {
   public:
    virtual ~Listener() = default;
    virtual void OnReply(LoadSession&, uint64_t /*tag*/, int64_t /*asked_ns*/, const FrameView&) {}
    virtual void OnEvent(LoadSession&, const FrameView&) {}
    virtual void OnLost(LoadSession&, uint16_t /*close_code*/) {}
  };

  LoadSession(Fleet& fleet, size_t index, std::string user, std::string token);

  // `resume` is the encoded argument of session.hello; empty: none.
  void Connect(std::string_view resume = {});
  // Sends a request; the listener receives its reply with `tag` and `asked_ns`. `args` as from Args().
  void Request(std::string_view op, std::string_view args, uint64_t tag, int64_t asked_ns);
  void Close();

  size_t index() const { return index_; }
  const std::string& user() const { return user_; }
  bool live() const { return live_; }  // the hello has its reply
  size_t unanswered() const { return unanswered_; }
  protocol::Encoding encoding() const;
  WsClient& socket() { return socket_; }

 private:
  struct Pending {
    uint64_t tag;
    int64_t asked_ns;
  };
  void OnOpen() override;
  void OnMessage(std::string_view payload) override;
  void OnClosed(uint16_t code) override;

  Fleet& fleet_;
  const size_t index_;
  const std::string user_, token_;
  std::string resume_;
  WsClient socket_;
  bool live_ = false;
  size_t unanswered_ = 0;
  std::vector<Pending> pending_;  // by request id
  std::vector<uint32_t> free_;
};

class Fleet {
 public:
  Fleet(Poller& poller, const Target& target) : poller_(poller), target_(target) {}

  Poller& poller() { return poller_; }
  const Target& target() const { return target_; }

  // Gets tokens (POST /v1/demo/token) and connects one session per name, many at a time. Returns false if
  // some could not connect.
  bool Connect(const std::vector<std::string>& users);
  // Like Connect, but only creates the sessions.
  bool Prepare(const std::vector<std::string>& users);
  // Connects the sessions that are not live, at most `at_once` at a time; `resume` gives each its encoded
  // argument. Until `deadline_ns`.
  bool ConnectAll(size_t at_once, int64_t deadline_ns,
                  const std::function<std::string(LoadSession&)>& resume = nullptr);

  LoadSession& at(size_t i) { return *sessions_[i]; }
  size_t size() const { return sessions_.size(); }
  size_t live() const { return live_; }
  const std::string& epoch() const { return epoch_; }  // the store's, from the last hello

  // Receives replies and events, except for the replies of Call.
  void set_listener(LoadSession::Listener* listener) { listener_ = listener; }

  // Sends and waits, for the setup. Exits the bench with a message if the request is rejected. Returns the
  // encoded ok map.
  std::string Call(LoadSession& session, std::string_view op, std::string_view args);
  // Handles input until `done` is true; returns false if `deadline_ns` came first.
  bool RunUntil(int64_t deadline_ns, const std::function<bool()>& done);

 private:
  friend class LoadSession;
  static constexpr uint64_t kHelloTag = ~uint64_t{0}, kCallTag = ~uint64_t{0} - 1;

  Poller& poller_;
  const Target target_;
  std::vector<std::unique_ptr<LoadSession>> sessions_;
  std::unordered_map<std::string, std::string> tokens_;
  LoadSession::Listener* listener_ = nullptr;
  size_t live_ = 0, lost_ = 0;
  bool call_done_ = false;
  std::string call_body_;
  std::string epoch_;
};

}  // namespace parley::bench
