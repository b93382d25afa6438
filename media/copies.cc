#include "media/copies.h"

#include <malloc.h>
#include <stdlib.h>
#include <time.h>
#include <vips/vips.h>

#include <algorithm>
#include <memory>
#include <optional>

#include "media/frames.h"
#ifdef PARLEY_VIDEO
#include "media/video.h"
#endif

namespace parley::media {
namespace {

constexpr int kQuality = 80;
// Levels of WebP's effort from 0 to 6: 2 is twice as fast as the default, for a twentieth more bytes.
constexpr int kWebpEffort = 2;

// Loads from memory, by the names of their classes.
constexpr const char* kLoaders[] = {"VipsForeignLoadJpeg",  "VipsForeignLoadPng",  "VipsForeignLoadWebp",
                                    "VipsForeignLoadNsgif", "VipsForeignLoadHeif", "VipsForeignLoadPdf"};

struct Unref {
  void operator()(VipsImage* image) const { g_object_unref(image); }
};
using ImagePtr = std::unique_ptr<VipsImage, Unref>;

// Calls an operation of the library whose third argument is its result.
#define PARLEY_VIPS(result, call)     \
  VipsImage* result##_made = nullptr; \
  if ((call) != 0) return nullptr;    \
  ImagePtr result(result##_made)

// Keeps other formats from the library, which would let all its modules look at them.
bool IsAccepted(std::string_view file) {
  const auto has = [&](size_t at, std::string_view mark) { return file.substr(0, 16).find(mark) == at; };
  return has(0, "\xFF\xD8\xFF") || has(0, "\x89PNG") || has(0, "GIF8") || has(0, "%PDF-") || has(4, "ftyp") ||
         (has(0, "RIFF") && has(8, "WEBP"));
}

// MP4 or QuickTime, and no image in the same container: those modules of the library that do not know it
// would open files.
bool IsVideo(std::string_view file) {
  if (file.size() < 12) return false;
  const std::string_view box = file.substr(4, 4), brand = file.substr(8, 4);
  if (box != "ftyp") return box == "moov" || box == "mdat" || box == "wide" || box == "free" || box == "skip";
  constexpr std::string_view kImages[] = {"heic", "heix", "hevc", "hevx", "heim", "heis", "hevm",
                                          "hevs", "mif1", "msf1", "miaf", "avif", "avis"};
  return std::find(std::begin(kImages), std::end(kImages), brand) == std::end(kImages);
}

bool IsPdf(std::string_view loader) {
  return loader.starts_with("VipsForeignLoadPdf");
}

// Computes an image once; encoders would compute parts of it several times.
ImagePtr Computed(const ImagePtr& image) {
  return ImagePtr(image ? vips_image_copy_memory(image.get()) : nullptr);
}

// Profiles, EXIF, XMP, comments. The pixels are in sRGB by then.
void RemoveMetadata(VipsImage* image) {
  gchar** fields = vips_image_get_fields(image);
  for (gchar** field = fields; *field; ++field) vips_image_remove(image, *field);
  g_strfreev(fields);
}

// Pages have no size in pixels, so they are scaled up, too.
ImagePtr Scaled(std::string_view file, bool is_page) {
  PARLEY_VIPS(scaled, vips_thumbnail_buffer(const_cast<char*>(file.data()), file.size(), &scaled_made,
                                            kPreviewPixels, "height", kPreviewPixels, "size",
                                            is_page ? VIPS_SIZE_BOTH : VIPS_SIZE_DOWN, "export_profile",
                                            "srgb", nullptr));
  return scaled;
}

ImagePtr Thumb(VipsImage* preview) {
  PARLEY_VIPS(thumb, vips_thumbnail_image(preview, &thumb_made, kThumbPixels, "height", kThumbPixels, "size",
                                          VIPS_SIZE_DOWN, nullptr));
  return Computed(thumb);
}

ImagePtr Opaque(VipsImage* image) {
  if (!vips_image_hasalpha(image)) {
    g_object_ref(image);
    return ImagePtr(image);
  }
  const std::unique_ptr<VipsArrayDouble, void (*)(VipsArrayDouble*)> white(
      vips_array_double_newv(1, 255.0), [](VipsArrayDouble* area) { vips_area_unref(VIPS_AREA(area)); });
  PARLEY_VIPS(flat, vips_flatten(image, &flat_made, "background", white.get(), nullptr));
  return flat;
}

ImagePtr Preview(std::string_view file, bool is_page) {
  ImagePtr scaled = Scaled(file, is_page);
  if (scaled && is_page) scaled = Opaque(scaled.get());
  ImagePtr out = Computed(scaled);
  if (out) RemoveMetadata(out.get());
  return out;
}

// A few pixels of the preview, enlarged to its size: no filter brings back the rest.
ImagePtr Blurred(VipsImage* preview) {
  const ImagePtr flat = Opaque(preview);
  if (!flat) return nullptr;
  PARLEY_VIPS(tiny, vips_thumbnail_image(flat.get(), &tiny_made, kBlurredPixels, "height", kBlurredPixels,
                                         "size", VIPS_SIZE_DOWN, nullptr));
  PARLEY_VIPS(lazy, vips_gaussblur(tiny.get(), &lazy_made, 1.0, nullptr));
  const ImagePtr soft = Computed(lazy);
  if (!soft) return nullptr;
  const double across = static_cast<double>(vips_image_get_width(preview)) / vips_image_get_width(soft.get());
  const double down = static_cast<double>(vips_image_get_height(preview)) / vips_image_get_height(soft.get());
  PARLEY_VIPS(large, vips_resize(soft.get(), &large_made, across, "vscale", down, "kernel", VIPS_KERNEL_CUBIC,
                                 nullptr));
  return Computed(large);
}

std::optional<Copy> Encoded(Kind kind, const ImagePtr& image) {
  if (!image) return std::nullopt;
  Copy out;
  out.kind = kind;
  out.format = vips_image_hasalpha(image.get()) ? Format::kWebp : Format::kJpeg;
  out.w = static_cast<uint32_t>(vips_image_get_width(image.get()));
  out.h = static_cast<uint32_t>(vips_image_get_height(image.get()));
  void* bytes = nullptr;
  size_t size = 0;
  const int failed =
      out.format == Format::kWebp
          ? vips_webpsave_buffer(image.get(), &bytes, &size, "Q", kQuality, "effort", kWebpEffort, "strip",
                                 TRUE, nullptr)
          : vips_jpegsave_buffer(image.get(), &bytes, &size, "Q", kQuality, "strip", TRUE, nullptr);
  if (failed != 0) return std::nullopt;
  out.bytes.assign(static_cast<const char*>(bytes), size);
  g_free(bytes);
  return out;
}

// The library's first complaint, for the log.
std::string RefusedByLibrary() {
  const std::string_view all = vips_error_buffer();
  return EncodeRefused(all.empty() ? "the library gave no reason" : all.substr(0, all.find('\n')));
}

// Sets the size of the image as displayed. Pages have none.
void SetSize(VipsImage* head, bool is_page, Image* out) {
  if (is_page) return;
  out->w = static_cast<uint32_t>(vips_image_get_width(head));
  out->h = static_cast<uint32_t>(vips_image_get_height(head));
  if (vips_image_get_orientation_swap(head)) std::swap(out->w, out->h);
}

// Warnings would look up the time zone and the terminal.
GLogWriterOutput DropWarning(GLogLevelFlags, const GLogField*, gsize, gpointer) {
  return G_LOG_WRITER_HANDLED;
}

std::string CopiesOf(const ImagePtr& preview, Image out) {
  if (!preview) return RefusedByLibrary();
  std::optional<Copy> copies[] = {Encoded(Kind::kPreview, preview),
                                  Encoded(Kind::kThumb, Thumb(preview.get())),
                                  Encoded(Kind::kBlurred, Blurred(preview.get()))};
  for (std::optional<Copy>& copy : copies) {
    if (!copy) return RefusedByLibrary();
    out.copies.push_back(*std::move(copy));
  }
  return EncodeMade(out);
}

#ifndef PARLEY_VIDEO
std::string PosterOf(std::string_view) {
  return EncodeRefused("videos have no poster: libav was not there when the server was built");
}
#else
ImagePtr Upright(const VideoFrame& frame) {
  const ImagePtr pixels(vips_image_new_from_memory_copy(frame.rgb.data(), frame.rgb.size(), frame.w, frame.h,
                                                        3, VIPS_FORMAT_UCHAR));
  if (!pixels) return nullptr;
  PARLEY_VIPS(colours,
              vips_copy(pixels.get(), &colours_made, "interpretation", VIPS_INTERPRETATION_sRGB, nullptr));
  PARLEY_VIPS(turned, vips_rot(colours.get(), &turned_made, static_cast<VipsAngle>(frame.turn), nullptr));
  return Computed(turned);
}

std::string PosterOf(std::string_view file) {
  VideoFrame frame;
  std::string why;
  if (!ReadFirstFrame(file, &frame, &why)) return EncodeRefused(why);
  Image out;
  out.w = static_cast<uint32_t>(frame.video_w);
  out.h = static_cast<uint32_t>(frame.video_h);
  if (frame.turn % 2 == 1) std::swap(out.w, out.h);
  return CopiesOf(Upright(frame), std::move(out));
}
#endif

}  // namespace

bool StartLibrary() {
  // A second heap for threads would take address space.
  ::mallopt(M_ARENA_MAX, 1);
  // The sandbox allows neither temporary files nor executable pages. So images stay in memory, whose limit
  // refuses the largest, and nothing is compiled at run time.
  ::setenv("VIPS_DISC_THRESHOLD", "1024g", 1);
  ::setenv("VIPS_NOVECTOR", "1", 1);
  ::setenv("VIPS_CONCURRENCY", "1", 1);
  // Dates of colour profiles need the time zone, which is read once.
  ::setenv("TZ", "UTC0", 1);
  ::tzset();
  g_log_set_writer_func(&DropWarning, nullptr, nullptr);
  g_log_set_default_handler([](const gchar*, GLogLevelFlags, const gchar*, gpointer) {}, nullptr);
  if (VIPS_INIT("parley-media") != 0) return false;
  vips_concurrency_set(1);
  vips_cache_set_max(0);
  vips_block_untrusted_set(TRUE);
  vips_operation_block_set("VipsForeignLoad", TRUE);
  for (const char* loader : kLoaders) vips_operation_block_set(loader, FALSE);
  return true;
}

std::string MakeCopies(std::string_view file) {
  if (IsVideo(file)) return PosterOf(file);
  if (!IsAccepted(file)) return EncodeRefused("the format is not accepted");
  const char* loader = vips_foreign_find_load_buffer(file.data(), file.size());
  if (!loader) return RefusedByLibrary();
  const bool is_page = IsPdf(loader);
  const ImagePtr head(vips_image_new_from_buffer(file.data(), file.size(), "", nullptr));
  if (!head) return RefusedByLibrary();
  const uint64_t pixels = uint64_t(vips_image_get_width(head.get())) * vips_image_get_height(head.get());
  if (pixels > kPixelsMax) return EncodeRefused("the file declares " + std::to_string(pixels) + " pixels");
  Image out;
  SetSize(head.get(), is_page, &out);
  return CopiesOf(Preview(file, is_page), std::move(out));
}

}  // namespace parley::media
