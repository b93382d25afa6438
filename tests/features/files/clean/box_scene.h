// Makes boxes, movies and tracks for the tests of MP4, QuickTime, HEIC and AVIF.
#pragma once

#include <string>
#include <vector>

#include "tests/features/files/clean/clean_scene.h"

namespace parley::features::clean {

inline std::string MakeBox(const std::string& type, const std::string& body) {
  return Big(body.size() + 8, 4) + type + body;
}

inline std::string MakeLongBox(const std::string& type, const std::string& body) {
  return Big(1, 4) + type + Big(body.size() + 16, 8) + body;
}

inline std::string FreeBox(size_t size) {
  return MakeBox("free", std::string(size - 8, '\0'));
}

// 12.5 seconds.
inline std::string MovieHead(const std::string& times = "\0\0\0\0\0\0\0\0"s) {
  return MakeBox("mvhd", Big(0, 4) + times + Big(600, 4) + Big(7500, 4) + std::string(80, '\x02'));
}

inline std::string MediaHead(const std::string& times = "\0\0\0\0\0\0\0\0"s) {
  return MakeBox("mdhd", Big(0, 4) + times + Big(600, 4) + Big(7500, 4) + Big(0, 4));
}

// 1920 x 1080, turned by a quarter if so.
inline std::string TrackHead(bool is_turned, const std::string& times = "\0\0\0\0\0\0\0\0"s) {
  const auto number = [](int value) { return Big(static_cast<uint32_t>(value) << 16, 4); };
  const std::string matrix = is_turned
                                 ? number(0) + number(1) + number(0) + number(-1) + number(0) + number(0)
                                 : number(1) + number(0) + number(0) + number(0) + number(1) + number(0);
  return MakeBox("tkhd", Big(7, 4) + times + Big(1, 4) + std::string(24, '\0') + matrix + number(0) +
                             number(0) + Big(0x40000000, 4) + number(1920) + number(1080));
}

inline std::string Handler(const std::string& type) {
  return MakeBox("hdlr", Big(0, 8) + type + std::string(13, '\0'));
}

// The tables of a track: each chunk has two samples of these sizes.
inline std::string SampleTable(const std::vector<uint32_t>& chunks, uint32_t first, uint32_t second) {
  std::string offsets, sizes;
  for (const uint32_t at : chunks) {
    offsets += Big(at, 4);
    sizes += Big(first, 4) + Big(second, 4);
  }
  return MakeBox("stbl", MakeBox("stsd", Big(0, 8)) +
                             MakeBox("stsc", Big(0, 4) + Big(1, 4) + Big(1, 4) + Big(2, 4) + Big(1, 4)) +
                             MakeBox("stsz", Big(0, 8) + Big(2 * chunks.size(), 4) + sizes) +
                             MakeBox("stco", Big(0, 4) + Big(chunks.size(), 4) + offsets));
}

inline std::string Media(const std::string& handler, const std::string& table) {
  return MakeBox("mdia",
                 MediaHead() + Handler(handler) + MakeBox("minf", MakeBox("vmhd", Big(1, 12)) + table));
}

const std::string kFileType = MakeBox("ftyp", "isom\0\0\0\1isom"s);

}  // namespace parley::features::clean
