#include "bench/net/wire_view.h"

#include <algorithm>
#include <charconv>

namespace parley::bench {
namespace {

// Each reader walks one value after another; `failed` once something is malformed.
class MsgpackReader {
 public:
  explicit MsgpackReader(std::string_view bytes) : rest_(bytes) {}
  bool failed() const { return failed_; }

  std::optional<size_t> BeginMap() { return Begin(0x80, 0xde); }
  std::optional<size_t> BeginArray() { return Begin(0x90, 0xdc); }

  std::optional<std::string_view> Text() {
    const uint8_t tag = Peek();
    size_t size;
    if ((tag & 0xe0) == 0xa0) {
      Take(1);
      size = tag & 0x1f;
    } else if (tag >= 0xd9 && tag <= 0xdb) {
      Take(1);
      size = Number(size_t{1} << (tag - 0xd9));
    } else {
      return std::nullopt;
    }
    return Take(size);
  }

  std::optional<int64_t> Int() {
    const uint8_t tag = Peek();
    if (tag < 0x80 || tag >= 0xe0) {
      Take(1);
      return static_cast<int8_t>(tag);
    }
    if (tag >= 0xcc && tag <= 0xcf) {
      Take(1);
      return static_cast<int64_t>(Number(size_t{1} << (tag - 0xcc)));
    }
    return std::nullopt;
  }

  // Most of a frame is skipped, so a generator spends most of its time here.
  std::string_view Skip() {
    size_t at = 0;
    for (size_t left = 1; left > 0; --left) {
      if (at >= rest_.size()) {
        failed_ = true;
        return {};
      }
      const auto tag = static_cast<uint8_t>(rest_[at++]);
      if (tag < 0x80 || tag >= 0xe0) continue;
      if (tag < 0x90) {
        left += 2 * (tag & 0x0f);
      } else if (tag < 0xa0) {
        left += tag & 0x0f;
      } else if (tag < 0xc0) {
        at += tag & 0x1f;
      } else {
        const Wide wide = kWide[tag - 0xc0];
        const uint64_t count = NumberAt(at, wide.length_bytes);
        at += wide.length_bytes + wide.fixed_bytes + (wide.counts_bytes ? count : 0);
        left += wide.values_each * count;
      }
    }
    return Take(at);
  }

 private:
  uint8_t Peek() {
    if (rest_.empty()) failed_ = true;
    return rest_.empty() ? 0xc1 : static_cast<uint8_t>(rest_.front());
  }
  std::string_view Take(size_t size) {
    if (size > rest_.size()) {
      failed_ = true;
      size = rest_.size();
    }
    const std::string_view taken = rest_.substr(0, size);
    rest_.remove_prefix(size);
    return taken;
  }
  uint64_t Number(size_t bytes) {
    uint64_t n = 0;
    for (const char c : Take(bytes)) n = n << 8 | static_cast<uint8_t>(c);
    return n;
  }
  std::optional<size_t> Begin(uint8_t fix, uint8_t wide) {
    const uint8_t tag = Peek();
    if ((tag & 0xf0) == fix) {
      Take(1);
      return tag & 0x0f;
    }
    if (tag == wide || tag == wide + 1) {
      Take(1);
      return Number(tag == wide ? 2 : 4);
    }
    return std::nullopt;
  }
  // For a value whose tag is 0xc0 or above: the size of its count, and the counted unit.
  struct Wide {
    uint8_t length_bytes, fixed_bytes;
    bool counts_bytes;
    uint8_t values_each;
  };
  static constexpr Wide kWide[32] = {
      {0, 0, false, 0},  {0, 0, false, 0}, {0, 0, false, 0}, {0, 0, false, 0},  // nil, -, false, true
      {1, 0, true, 0},   {2, 0, true, 0},  {4, 0, true, 0},                     // bin
      {1, 1, true, 0},   {2, 1, true, 0},  {4, 1, true, 0},                     // ext
      {0, 4, false, 0},  {0, 8, false, 0},                                      // float
      {0, 1, false, 0},  {0, 2, false, 0}, {0, 4, false, 0}, {0, 8, false, 0},  // uint
      {0, 1, false, 0},  {0, 2, false, 0}, {0, 4, false, 0}, {0, 8, false, 0},  // int
      {0, 2, false, 0},  {0, 3, false, 0}, {0, 5, false, 0}, {0, 9, false, 0},  // fixext
      {0, 17, false, 0},                                                        // fixext 16
      {1, 0, true, 0},   {2, 0, true, 0},  {4, 0, true, 0},                     // str
      {2, 0, false, 1},  {4, 0, false, 1},                                      // array
      {2, 0, false, 2},  {4, 0, false, 2},                                      // map
  };
  uint64_t NumberAt(size_t at, size_t bytes) const {
    uint64_t n = 0;
    for (const char c : rest_.substr(std::min(at, rest_.size()), bytes)) n = n << 8 | static_cast<uint8_t>(c);
    return n;
  }

  std::string_view rest_;
  bool failed_ = false;
};

class JsonReader {
 public:
  explicit JsonReader(std::string_view text) : text_(text) {}
  bool failed() const { return failed_; }

  // Calls `visit` with each key of the map; it must take the value.
  template <class Visit>
  bool Map(const Visit& visit) {
    if (!Eat('{')) return false;
    if (Eat('}')) return true;
    do {
      const auto key = Text();
      if (!key || !Eat(':')) return false;
      visit(*key);
    } while (!failed_ && Eat(','));
    return !failed_ && Eat('}');
  }

  std::optional<std::string_view> Text() {
    Space();
    if (at_ >= text_.size() || text_[at_] != '"') return std::nullopt;
    const size_t start = ++at_;
    while (at_ < text_.size() && text_[at_] != '"') at_ += text_[at_] == '\\' ? 2 : 1;
    if (at_ >= text_.size()) return Fail();
    return text_.substr(start, at_++ - start);
  }

  std::optional<int64_t> Int() {
    Space();
    int64_t n;
    const auto [end, error] = std::from_chars(text_.data() + at_, text_.data() + text_.size(), n);
    if (error != std::errc()) return std::nullopt;
    at_ = static_cast<size_t>(end - text_.data());
    return n;
  }

  std::string_view Skip() {
    Space();
    const size_t start = at_;
    size_t depth = 0;
    while (at_ < text_.size()) {
      const char c = text_[at_];
      if (c == '"') {
        if (!Text()) return {};
      } else {
        if (depth == 0 && (c == ',' || c == '}' || c == ']')) break;
        depth += c == '{' || c == '[' ? 1 : 0;
        depth -= c == '}' || c == ']' ? 1 : 0;
        ++at_;
      }
      if (depth == 0 && (c == '"' || c == '}' || c == ']')) break;
    }
    return text_.substr(start, at_ - start);
  }

  bool Eat(char c) {
    Space();
    if (at_ >= text_.size() || text_[at_] != c) return false;
    ++at_;
    return true;
  }

 private:
  void Space() {
    while (at_ < text_.size() && (text_[at_] == ' ' || text_[at_] == '\n')) ++at_;
  }
  std::optional<std::string_view> Fail() {
    failed_ = true;
    return std::nullopt;
  }
  std::string_view text_;
  size_t at_ = 0;
  bool failed_ = false;
};

template <class Visit>
bool VisitMap(MsgpackReader& reader, const Visit& visit) {
  const auto members = reader.BeginMap();
  if (!members) return false;
  for (size_t i = 0; i < *members && !reader.failed(); ++i) {
    const auto key = reader.Text();
    if (!key) return false;
    visit(*key);
  }
  return !reader.failed();
}
template <class Visit>
bool VisitMap(JsonReader& reader, const Visit& visit) {
  return reader.Map(visit);
}

template <class Reader>
bool View(Reader reader, FrameView* out) {
  *out = {};
  return VisitMap(reader, [&](std::string_view key) {
    if (key == "id") {
      if (const auto id = reader.Int()) out->id = static_cast<uint32_t>(*id);
    } else if (key == "ok" || key == "error") {
      out->ok = key == "ok";
      out->body = reader.Skip();
    } else if (key == "ev") {
      out->event = reader.Text().value_or("");
    } else if (key == "threadId") {
      out->thread = reader.Text().value_or("");
    } else if (key == "seq") {
      out->seq = reader.Int().value_or(0);
    } else if (key == "item") {
      out->item = reader.Skip();
    } else {
      reader.Skip();
    }
  });
}

template <class Reader, class Take>
auto Find(Reader reader, std::string_view key, const Take& take) -> decltype(take(reader)) {
  decltype(take(reader)) found;
  VisitMap(reader, [&](std::string_view name) {
    if (name == key) {
      found = take(reader);
    } else {
      reader.Skip();
    }
  });
  return found;
}

template <class Take>
auto FindIn(protocol::Encoding encoding, std::string_view map, std::string_view key, const Take& take) {
  return encoding == protocol::Encoding::kMsgpack ? Find(MsgpackReader(map), key, take)
                                                  : Find(JsonReader(map), key, take);
}

}  // namespace

bool ViewFrame(protocol::Encoding encoding, std::string_view frame, FrameView* out) {
  const bool is_one = encoding == protocol::Encoding::kMsgpack ? View(MsgpackReader(frame), out)
                                                               : View(JsonReader(frame), out);
  out->frame = frame;
  return is_one;
}

std::optional<std::string_view> FindText(protocol::Encoding encoding, std::string_view map,
                                         std::string_view key) {
  return FindIn(encoding, map, key, [](auto& reader) -> std::optional<std::string_view> {
    auto text = reader.Text();
    if (!text) reader.Skip();
    return text;
  });
}

std::optional<int64_t> FindInt(protocol::Encoding encoding, std::string_view map, std::string_view key) {
  return FindIn(encoding, map, key, [](auto& reader) -> std::optional<int64_t> {
    auto number = reader.Int();
    if (!number) reader.Skip();
    return number;
  });
}

std::optional<std::string_view> FindValue(protocol::Encoding encoding, std::string_view map,
                                          std::string_view key) {
  return FindIn(encoding, map, key,
                [](auto& reader) -> std::optional<std::string_view> { return reader.Skip(); });
}

std::optional<size_t> CountItems(protocol::Encoding encoding, std::string_view array) {
  if (encoding == protocol::Encoding::kMsgpack) return MsgpackReader(array).BeginArray();
  JsonReader reader(array);
  if (!reader.Eat('[')) return std::nullopt;
  if (reader.Eat(']')) return 0;
  size_t items = 0;
  do {
    reader.Skip();
    ++items;
  } while (reader.Eat(','));
  return items;
}

}  // namespace parley::bench
