#include "media/video.h"

extern "C" {
#include <libavcodec/avcodec.h>
#include <libavformat/avformat.h>
#include <libavutil/avstring.h>
#include <libavutil/display.h>
#include <libavutil/mem.h>
#include <libswscale/swscale.h>
}

#include <algorithm>
#include <cmath>
#include <cstring>
#include <memory>
#include <tuple>
#include <utility>

#include "media/frames.h"

namespace parley::media {
namespace {

// The codecs of phones and cameras; no other decoder ever sees the bytes.
constexpr char kCodecs[] = "h264,hevc,mpeg4,mjpeg";
constexpr int64_t kVideoPixelsMax = 8192 * 4352;
constexpr int kStreamsMax = 16;
constexpr int kPacketsMax = 500;  // until the first frame
constexpr int kBufferBytes = 32'768;

// The file as libav reads it.
struct Source {
  std::string_view file;
  size_t at = 0;
};

int ReadSome(void* opaque, uint8_t* to, int size) {
  auto& source = *static_cast<Source*>(opaque);
  const size_t step = std::min(static_cast<size_t>(size), source.file.size() - source.at);
  if (step == 0) return AVERROR_EOF;
  std::memcpy(to, source.file.data() + source.at, step);
  source.at += step;
  return static_cast<int>(step);
}

int64_t Seek(void* opaque, int64_t offset, int whence) {
  auto& source = *static_cast<Source*>(opaque);
  const auto size = static_cast<int64_t>(source.file.size());
  if (whence & AVSEEK_SIZE) return size;
  whence &= ~AVSEEK_FORCE;
  int64_t base = 0;
  if (whence == SEEK_CUR) base = static_cast<int64_t>(source.at);
  if (whence == SEEK_END) base = size;
  if (offset < -base || offset > size - base) return AVERROR(EINVAL);
  source.at = static_cast<size_t>(base + offset);
  return base + offset;
}

struct Free {
  void operator()(AVFormatContext* at) const { avformat_close_input(&at); }
  void operator()(AVIOContext* at) const {
    av_freep(&at->buffer);
    avio_context_free(&at);
  }
  void operator()(AVCodecContext* at) const { avcodec_free_context(&at); }
  void operator()(AVFrame* at) const { av_frame_free(&at); }
  void operator()(AVPacket* at) const { av_packet_free(&at); }
  void operator()(SwsContext* at) const { sws_freeContext(at); }
};
template <class T>
using Owned = std::unique_ptr<T, Free>;

struct Opened {
  Source source;
  Owned<AVIOContext> io;  // outlives the format
  Owned<AVFormatContext> format;
  AVStream* stream = nullptr;
  Owned<AVCodecContext> codec;
};

const char* OpenContainer(std::string_view file, Opened* out) {
  out->source.file = file;
  auto* buffer = static_cast<unsigned char*>(av_malloc(kBufferBytes));
  out->io.reset(avio_alloc_context(buffer, kBufferBytes, 0, &out->source, &ReadSome, nullptr, &Seek));
  AVFormatContext* format = avformat_alloc_context();
  if (!out->io || !format) return "no memory";
  format->pb = out->io.get();
  format->flags |= AVFMT_FLAG_CUSTOM_IO;
  format->max_streams = kStreamsMax;
  format->codec_whitelist = av_strdup(kCodecs);
  // A failure frees the format. No other demuxer is tried.
  if (avformat_open_input(&format, "", av_find_input_format("mov"), nullptr) < 0)
    return "the video's container cannot be read";
  out->format.reset(format);
  return nullptr;
}

const char* OpenVideo(Opened* out) {
  const int index = av_find_best_stream(out->format.get(), AVMEDIA_TYPE_VIDEO, -1, -1, nullptr, 0);
  if (index < 0) return "the file has no video";
  out->stream = out->format->streams[index];
  for (unsigned i = 0; i < out->format->nb_streams; ++i) {
    if (static_cast<int>(i) != index) out->format->streams[i]->discard = AVDISCARD_ALL;
  }
  const AVCodecParameters& parameters = *out->stream->codecpar;
  const AVCodec* decoder = avcodec_find_decoder(parameters.codec_id);
  if (!decoder || !av_match_name(decoder->name, kCodecs)) return "the video's codec is not accepted";
  if (int64_t{parameters.width} * parameters.height > kVideoPixelsMax) return "the video is too large";
  out->codec.reset(avcodec_alloc_context3(decoder));
  if (!out->codec || avcodec_parameters_to_context(out->codec.get(), &parameters) < 0) return "no memory";
  out->codec->thread_count = 1;
  out->codec->max_pixels = kVideoPixelsMax;
  out->codec->codec_whitelist = av_strdup(kCodecs);
  return avcodec_open2(out->codec.get(), decoder, nullptr) < 0 ? "the video's codec cannot be read" : nullptr;
}

// Decodes until the first frame; after the last packet the decoder may still have it.
const char* DecodeFrame(const Opened& opened, AVFrame* frame) {
  const Owned<AVPacket> packet(av_packet_alloc());
  if (!packet) return "no memory";
  for (int i = 0; i < kPacketsMax; ++i) {
    const bool ended = av_read_frame(opened.format.get(), packet.get()) < 0;
    if (!ended && packet->stream_index != opened.stream->index) {
      av_packet_unref(packet.get());
      continue;
    }
    // Errors of single packets are not the end: a cut video begins between key frames.
    avcodec_send_packet(opened.codec.get(), ended ? nullptr : packet.get());
    av_packet_unref(packet.get());
    if (avcodec_receive_frame(opened.codec.get(), frame) == 0) return nullptr;
    if (ended) break;
  }
  return "the video has no frame";
}

// The size on the screen of pixels that are not square, scaled down.
std::pair<int, int> ShownSize(const AVFrame& frame, AVRational pixel) {
  double w = frame.width;
  const double h = frame.height;
  const double shape = pixel.num > 0 && pixel.den > 0 ? av_q2d(pixel) : 1;
  if (shape > 0.1 && shape < 10) w *= shape;
  const double scale = std::min(1.0, kPreviewPixels / std::max(w, h));
  const auto fit = [&](double side) {
    return std::clamp(static_cast<int>(std::lround(side * scale)), 1, kPreviewPixels);
  };
  return {fit(w), fit(h)};
}

const char* ToRgb(const AVFrame& frame, const Opened& opened, VideoFrame* out) {
  if (frame.width <= 0 || frame.height <= 0 || frame.format < 0) return "the frame has no pixels";
  const AVRational pixel =
      av_guess_sample_aspect_ratio(opened.format.get(), opened.stream, const_cast<AVFrame*>(&frame));
  std::tie(out->w, out->h) = ShownSize(frame, pixel);
  const Owned<SwsContext> scaler(
      sws_getContext(frame.width, frame.height, static_cast<AVPixelFormat>(frame.format), out->w, out->h,
                     AV_PIX_FMT_RGB24, SWS_AREA | SWS_ACCURATE_RND, nullptr, nullptr, nullptr));
  if (!scaler) return "the frame's pixels cannot be read";
  const int space =
      frame.colorspace == AVCOL_SPC_UNSPECIFIED && frame.height > 576 ? AVCOL_SPC_BT709 : frame.colorspace;
  sws_setColorspaceDetails(scaler.get(), sws_getCoefficients(space), frame.color_range == AVCOL_RANGE_JPEG,
                           sws_getCoefficients(SWS_CS_DEFAULT), 1, 0, 1 << 16, 1 << 16);
  // The scaler writes whole vectors.
  const int line = (3 * out->w + 63) / 64 * 64;
  std::vector<uint8_t> lines(static_cast<size_t>(line) * out->h + 64);
  uint8_t* const to[] = {lines.data(), nullptr, nullptr, nullptr};
  const int steps[] = {line, 0, 0, 0};
  if (sws_scale(scaler.get(), frame.data, frame.linesize, 0, frame.height, to, steps) != out->h)
    return "the frame cannot be scaled";
  for (int y = 0; y < out->h; ++y)
    out->rgb.insert(out->rgb.end(), lines.begin() + y * line, lines.begin() + y * line + 3 * out->w);
  return nullptr;
}

int TurnOf(const AVStream& stream) {
  size_t size = 0;
  const uint8_t* matrix = av_stream_get_side_data(&stream, AV_PKT_DATA_DISPLAYMATRIX, &size);
  if (!matrix || size < 9 * sizeof(int32_t)) return 0;
  int32_t aligned[9];
  std::memcpy(aligned, matrix, sizeof aligned);
  const double counterclockwise = av_display_rotation_get(aligned);
  if (!std::isfinite(counterclockwise)) return 0;
  return (static_cast<int>(std::lround(-counterclockwise / 90)) % 4 + 4) % 4;
}

const char* Read(std::string_view file, VideoFrame* out) {
  Opened opened;
  if (const char* why = OpenContainer(file, &opened)) return why;
  if (const char* why = OpenVideo(&opened)) return why;
  const Owned<AVFrame> frame(av_frame_alloc());
  if (!frame) return "no memory";
  if (const char* why = DecodeFrame(opened, frame.get())) return why;
  out->video_w = frame->width;
  out->video_h = frame->height;
  out->turn = TurnOf(*opened.stream);
  return ToRgb(*frame, opened, out);
}

}  // namespace

bool ReadFirstFrame(std::string_view file, VideoFrame* out, std::string* why) {
  av_log_set_level(AV_LOG_QUIET);
  const char* fault = Read(file, out);
  if (fault) *why = fault;
  return !fault;
}

}  // namespace parley::media
