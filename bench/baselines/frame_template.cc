#include "bench/baselines/frame_template.h"

#include <algorithm>

#include "bench/net/ws_frame.h"

namespace parley::bench {
namespace {

constexpr std::string_view kSeqKey = "\xa3seq", kIdKey = "\xa2id";
constexpr size_t kSeqBytes = 3;

// The size of a MessagePack number; 0 if it is another type.
size_t NumberBytes(uint8_t tag) {
  if (tag < 0x80) return 1;
  return tag >= 0xcc && tag <= 0xcf ? 1 + (size_t{1} << (tag - 0xcc)) : 0;
}

std::vector<size_t> PlacesOf(std::string_view bytes, std::string_view text, size_t from = 0) {
  std::vector<size_t> places;
  if (text.empty()) return places;
  for (size_t at = bytes.find(text, from); at != std::string_view::npos; at = bytes.find(text, at + 1))
    places.push_back(at);
  return places;
}

}  // namespace

std::optional<FrameTemplate> FrameTemplate::Of(std::string_view payload, const Said& said) {
  std::string body(payload);
  for (size_t at = body.find(kSeqKey); at != std::string::npos; at = body.find(kSeqKey, at + 1)) {
    const size_t value = at + kSeqKey.size();
    const size_t size = value < body.size() ? NumberBytes(static_cast<uint8_t>(body[value])) : 0;
    if (size == 0 || value + size > body.size()) return std::nullopt;
    body.replace(value, size, std::string("\xcd\0\0", kSeqBytes));
  }
  FrameTemplate made;
  AppendFrameHead(&made.frame_, 2, body.size(), false);
  const size_t head = made.frame_.size();
  made.frame_ += body;
  for (const size_t at : PlacesOf(made.frame_, kSeqKey, head)) made.seqs_.push_back(at + kSeqKey.size() + 1);
  made.threads_ = PlacesOf(made.frame_, said.thread, head);
  made.client_ids_ = PlacesOf(made.frame_, said.client_id, head);
  // A reply begins with its id; small ids are a single byte.
  const size_t id = head + 1 + kIdKey.size();
  if (made.frame_.size() > id && made.frame_.compare(head + 1, kIdKey.size(), kIdKey) == 0) {
    if (static_cast<uint8_t>(made.frame_[id]) >= 0x80) return std::nullopt;
    made.ids_.push_back(id);
  }
  if (made.seqs_.empty() || made.threads_.empty() != said.thread.empty() ||
      made.client_ids_.empty() != said.client_id.empty())
    return std::nullopt;
  return made;
}

void FrameTemplate::Put(const std::vector<size_t>& places, std::string_view text) {
  for (const size_t at : places) std::copy(text.begin(), text.end(), frame_.begin() + static_cast<long>(at));
}

const std::string& FrameTemplate::Fill(uint32_t id, uint16_t seq, std::string_view thread,
                                       std::string_view client_id) {
  const char number = static_cast<char>(id);
  const char two[] = {static_cast<char>(seq >> 8), static_cast<char>(seq)};
  Put(ids_, {&number, 1});
  Put(seqs_, {two, 2});
  Put(threads_, thread);
  Put(client_ids_, client_id);
  return frame_;
}

}  // namespace parley::bench
