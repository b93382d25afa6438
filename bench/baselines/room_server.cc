#include "bench/baselines/room_server.h"

#include <sys/epoll.h>
#include <sys/socket.h>
#include <unistd.h>

#include <algorithm>
#include <cstdio>
#include <string>
#include <unordered_map>
#include <vector>

#include "bench/net/wire_view.h"
#include "bench/net/ws_frame.h"
#include "protocol/frame.h"
#include "protocol/writer.h"

namespace parley::bench {
namespace {

constexpr auto kMsgpack = protocol::Encoding::kMsgpack;
constexpr std::string_view kUpgraded =
    "HTTP/1.1 101 Switching Protocols\r\nUpgrade: websocket\r\nConnection: Upgrade\r\n"
    "Sec-WebSocket-Accept: s3pPLMBiTxaQ9kYGzzhZRbK+xOo=\r\nSec-WebSocket-Protocol: "
    "parley.v1.msgpack\r\n\r\n";

struct Room {
  std::string thread;
  uint16_t seq = 0;
  std::vector<int> peers;
};

struct Peer {
  Room* room = nullptr;
  bool upgraded = false;
  std::string held;  // an incomplete frame
};

void Unmask(char* payload, size_t size, const char* mask) {
  for (size_t i = 0; i < size; ++i) payload[i] ^= mask[i % 4];
}

class Server {
 public:
  explicit Server(RoomFrames frames) : frames_(std::move(frames)) {}

  void Serve(int listener) {
    const int epoll = epoll_create1(EPOLL_CLOEXEC);
    epoll_event event{};
    event.events = EPOLLIN;
    event.data.fd = listener;
    epoll_ctl(epoll, EPOLL_CTL_ADD, listener, &event);
    std::vector<epoll_event> ready(1024);
    for (;;) {
      const int count = epoll_wait(epoll, ready.data(), static_cast<int>(ready.size()), -1);
      for (int i = 0; i < count; ++i) {
        if (ready[i].data.fd == listener) {
          AcceptAll(listener, epoll, [&](int peer) { peers_.emplace(peer, Peer()); });
        } else {
          Read(ready[i].data.fd);
        }
      }
    }
  }

 private:
  void Read(int fd) {
    Peer& peer = peers_[fd];
    const ssize_t n = recv(fd, buffer_.data(), buffer_.size(), 0);
    if (n <= 0) return Drop(fd, peer);
    if (peer.held.empty()) {
      const size_t taken = Take(fd, peer, buffer_.data(), static_cast<size_t>(n));
      peer.held.assign(buffer_.data() + taken, static_cast<size_t>(n) - taken);
    } else {
      peer.held.append(buffer_.data(), static_cast<size_t>(n));
      peer.held.erase(0, Take(fd, peer, peer.held.data(), peer.held.size()));
    }
  }

  // Returns the size of the complete frames.
  size_t Take(int fd, Peer& peer, char* bytes, size_t size) {
    size_t at = 0;
    if (!peer.upgraded) {
      const size_t end = std::string_view(bytes, size).find("\r\n\r\n");
      if (end == std::string_view::npos) return 0;
      peer.upgraded = true;
      SendAll(fd, kUpgraded);
      at = end + 4;
    }
    while (const auto head = ReadFrameHead({bytes + at, size - at})) {
      if (size - at - head->bytes < head->payload_bytes) break;
      char* const payload = bytes + at + head->bytes;
      if (head->masked) Unmask(payload, head->payload_bytes, payload - 4);
      at += head->bytes + head->payload_bytes;
      if (head->opcode == 2) Answer(fd, peer, {payload, head->payload_bytes});
    }
    return at;
  }

  void Answer(int fd, Peer& peer, std::string_view request) {
    const auto id = static_cast<uint32_t>(FindInt(kMsgpack, request, "id").value_or(0));
    const std::string_view op = FindText(kMsgpack, request, "op").value_or("");
    const std::string_view args = FindValue(kMsgpack, request, "args").value_or("");
    if (op == "session.hello") return Greet(fd, peer, id, args);
    if (op != "message.send" || !peer.room || id >= 128) {
      std::fprintf(stderr, "parley-bench: its broadcast server knows no %.*s\n", static_cast<int>(op.size()),
                   op.data());
      _exit(1);
    }
    Room& room = *peer.room;
    ++room.seq;
    const std::string_view client_id = FindText(kMsgpack, args, "clientId").value_or("");
    SendAll(fd, frames_.ack.Fill(id, room.seq, room.thread, client_id));
    const std::string& event = frames_.event.Fill(id, room.seq, room.thread, client_id);
    for (const int member : room.peers) SendAll(member, event);
  }

  void Greet(int fd, Peer& peer, uint32_t id, std::string_view args) {
    const std::string thread(FindText(kMsgpack, args, "token").value_or(""));
    peer.room = &rooms_[thread];
    peer.room->thread = thread;
    peer.room->peers.push_back(fd);
    protocol::Writer ok;
    ok.BeginMap(1);
    ok.Text("epoch");
    ok.Text("none");
    const std::string reply = protocol::OkReply(id, ok.bytes());
    std::string frame;
    AppendFrameHead(&frame, 2, reply.size(), false);
    SendAll(fd, frame + reply);
  }

  void Drop(int fd, Peer& peer) {
    if (peer.room) std::erase(peer.room->peers, fd);
    peers_.erase(fd);
    close(fd);
  }

  RoomFrames frames_;
  std::unordered_map<std::string, Room> rooms_;
  std::unordered_map<int, Peer> peers_;
  std::vector<char> buffer_ = std::vector<char>(65536);
};

}  // namespace

RoomServer::RoomServer(RoomFrames frames)
    : process_([&frames](int listener) { Server(std::move(frames)).Serve(listener); }) {}

}  // namespace parley::bench
