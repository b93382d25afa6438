// A recorded frame of the server, with the places that differ from frame to frame, so that a baseline sends
// the same bytes.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace parley::bench {

class FrameTemplate {
 public:
  // The recorded frame's values; empty if it has none.
  struct Said {
    std::string thread, client_id;
  };
  // `payload` is MessagePack: an acknowledgement of message.send, or a message.created. Returns nullopt for
  // other frames: those without `seq`, or with other values than `said`.
  static std::optional<FrameTemplate> Of(std::string_view payload, const Said& said);

  // Returns the frame with its WebSocket header, valid until the next call. Seqs have two bytes, whatever the
  // recorded one had. REQUIRES: id < 128, and texts as long as the recorded ones.
  const std::string& Fill(uint32_t id, uint16_t seq, std::string_view thread, std::string_view client_id);
  size_t size() const { return frame_.size(); }

 private:
  void Put(const std::vector<size_t>& places, std::string_view text);
  std::string frame_;
  std::vector<size_t> ids_, seqs_, threads_, client_ids_;
};

}  // namespace parley::bench
