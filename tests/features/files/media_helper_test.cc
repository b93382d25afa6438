// The helper for images as the server sees it: a real process, real files, and files made to break it.
#include "features/files/media_helper.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <signal.h>
#include <sys/wait.h>
#include <unistd.h>

#include <algorithm>
#include <filesystem>
#include <fstream>
#include <random>
#include <string>
#include <thread>
#include <vector>

#include "protocol/base/metrics.h"
#include "tests/repository.h"

namespace parley::features {
namespace {

namespace fs = std::filesystem;
using ::testing::AnyOf;
using ::testing::HasSubstr;
using ::testing::IsEmpty;
using Made = MediaHelper::Made;

constexpr int64_t kLongMs = 120'000;  // for machines under load
constexpr const char* kImages[] = {"alpha.png",  "animated.gif", "animated.webp", "page.pdf",    "small.avif",
                                   "small.heic", "small.webp",   "turned.jpg",    "turned.webp", "wide.png"};

std::string ImageNamed(const std::string& name) {
  return tests::RepositoryText("tests/features/files/images/" + name);
}

std::string ProcFile(pid_t pid, const std::string& name) {
  return "/proc/" + std::to_string(pid) + "/" + name;
}

// The processes that this one started.
std::vector<pid_t> Children() {
  std::vector<pid_t> out;
  for (const auto& entry : fs::directory_iterator("/proc")) {
    std::ifstream status(entry.path() / "status");
    for (std::string word; status >> word;) {
      pid_t parent = 0;
      if (word == "PPid:" && status >> parent && parent == ::getpid())
        out.push_back(std::stoi(entry.path().filename().string()));
    }
  }
  return out;
}

class MediaHelperTest : public ::testing::Test {
 protected:
  void SetUp() override {
#ifdef PARLEY_MEDIA
    Use(PARLEY_MEDIA);
#else
    GTEST_SKIP() << "parley-media was not built: its libraries are not here";
#endif
  }

  void Use(const std::string& program, int64_t timeout_ms = kLongMs) {
    helper_.reset();
    metrics_ = std::make_unique<protocol::Metrics>();
    helper_ = std::make_unique<MediaHelper>(
        MediaHelper::Settings{.program = program, .timeout_ms = timeout_ms, .pause_ms = 0}, *metrics_);
  }

  protocol::Result<Made> Ask(const std::string& bytes) {
    return helper_->Make(static_cast<int64_t>(bytes.size()), [&](int64_t offset, size_t size) {
      return protocol::Result<std::string>(bytes.substr(static_cast<size_t>(offset), size));
    });
  }

  Made AskOk(const std::string& bytes) {
    auto made = Ask(bytes);
    EXPECT_TRUE(made.ok());
    return made.ok() ? *std::move(made) : Made{{}, "an error"};
  }

  void ExpectItWorks() {
    const Made made = AskOk(ImageNamed("turned.jpg"));
    EXPECT_EQ(made.refusal, "");
    EXPECT_EQ(made.image.copies.size(), 3u);
  }

  bool Counted(const std::string& name, int n) {
    const std::string line = "\n" + name + " " + std::to_string(n) + "\n";
    return metrics_->Render().find(line) != std::string::npos;
  }

  std::unique_ptr<protocol::Metrics> metrics_;
  std::unique_ptr<MediaHelper> helper_;
};

bool StartsAs(const media::Copy& copy) {
  if (copy.format == media::Format::kJpeg) return copy.bytes.starts_with("\xFF\xD8\xFF");
  return copy.bytes.starts_with("RIFF") && copy.bytes.substr(8, 4) == "WEBP";
}

TEST_F(MediaHelperTest, makes_three_copies_of_every_format) {
  for (const char* name : kImages) {
    const Made made = AskOk(ImageNamed(name));
    EXPECT_EQ(made.refusal, "") << name;
    ASSERT_EQ(made.image.copies.size(), 3u) << name;
    for (const media::Copy& copy : made.image.copies) EXPECT_TRUE(StartsAs(copy)) << name;
  }
  EXPECT_TRUE(Counted("parley_media_failures_total", 0));
  EXPECT_TRUE(Counted("parley_media_restarts_total", 0));
}

TEST_F(MediaHelperTest, scales_down_and_never_up) {
  const Made wide = AskOk(ImageNamed("wide.png"));
  EXPECT_EQ(wide.image.w, 2000u);
  EXPECT_EQ(wide.image.h, 1000u);
  for (const media::Copy& copy : wide.image.copies) {
    EXPECT_EQ(copy.w, copy.kind == media::Kind::kThumb ? 320u : 1600u);
    EXPECT_EQ(copy.h, copy.w / 2);
  }
  const Made small = AskOk(ImageNamed("small.webp"));
  for (const media::Copy& copy : small.image.copies) EXPECT_EQ(copy.w, 64u);
}

TEST_F(MediaHelperTest, turns_an_image_as_its_metadata_says_and_drops_the_metadata) {
  ASSERT_THAT(ImageNamed("turned.jpg"), HasSubstr("SecretCamera"));
  for (const char* name : {"turned.jpg", "turned.webp"}) {
    const Made made = AskOk(ImageNamed(name));
    EXPECT_EQ(made.image.w, 32u) << name;
    EXPECT_EQ(made.image.h, 64u) << name;
    for (const media::Copy& copy : made.image.copies) {
      EXPECT_EQ(copy.w, 32u) << name;
      for (const char* secret : {"SecretCamera", "Exif", "http://ns.adobe.com", "ICC_PROFILE"})
        EXPECT_EQ(copy.bytes.find(secret), std::string::npos) << name << " keeps " << secret;
    }
  }
}

#ifdef PARLEY_VIDEO
constexpr const char* kVideos[] = {"clip.mp4", "clip_hevc.mov", "clip_turned.mp4"};

TEST_F(MediaHelperTest, makes_three_copies_of_the_first_frame_of_a_video) {
  for (const char* name : kVideos) {
    const Made made = AskOk(ImageNamed(name));
    EXPECT_EQ(made.refusal, "") << name;
    ASSERT_EQ(made.image.copies.size(), 3u) << name;
    const bool turned = std::string_view(name) == "clip_turned.mp4";
    EXPECT_EQ(made.image.w, turned ? 32u : 64u) << name;
    EXPECT_EQ(made.image.h, turned ? 64u : 32u) << name;
    for (const media::Copy& copy : made.image.copies) {
      EXPECT_TRUE(StartsAs(copy)) << name;
      EXPECT_EQ(copy.w, made.image.w) << name;
    }
  }
}

TEST_F(MediaHelperTest, makes_a_poster_by_no_other_codec_and_of_no_sound) {
  EXPECT_EQ(AskOk(ImageNamed("clip_vp9.mp4")).refusal, "the video's codec is not accepted");
  EXPECT_EQ(AskOk(ImageNamed("sound.mp4")).refusal, "the file has no video");
  ExpectItWorks();
}

TEST_F(MediaHelperTest, survives_videos_that_are_cut_or_changed) {
  const unsigned seed = std::random_device()();
  SCOPED_TRACE("seed " + std::to_string(seed));
  std::mt19937 random(seed);
  for (const char* name : kVideos) {
    const std::string whole = ImageNamed(name);
    for (int round = 0; round < 40; ++round) {
      std::string bytes = whole.substr(0, random() % 2 ? whole.size() : 16 + random() % whole.size());
      for (unsigned changes = random() % 16; changes > 0; --changes)
        bytes[4 + random() % (bytes.size() - 4)] = static_cast<char>(random());
      EXPECT_THAT(AskOk(bytes).refusal, Not(HasSubstr("Bad system call")));
    }
  }
  ExpectItWorks();
}

// A movie of one JPEG image, for sizes that no encoder would write.
std::string Movie(const std::string& jpeg, uint16_t w, uint16_t h) {
  const auto number = [](auto value) {
    std::string out;
    media::PutNumber(value, &out);
    return out;
  };
  const auto box = [&](const char* name, const std::string& body) {
    return number(static_cast<uint32_t>(body.size() + 8)) + name + body;
  };
  const auto zeros = [](size_t size) { return std::string(size, '\0'); };
  const uint32_t one = 1, at = 16 + 8;
  const std::string entry = zeros(6) + number(uint16_t{1}) + zeros(16) + number(w) + number(h) +
                            number(uint32_t{0x480000}) + number(uint32_t{0x480000}) + zeros(4) +
                            number(uint16_t{1}) + zeros(32) + number(uint16_t{24}) + number(uint16_t{0xffff});
  const std::string table = box("stsd", zeros(4) + number(one) + box("jpeg", entry)) +
                            box("stts", zeros(4) + number(one) + number(one) + number(one)) +
                            box("stsc", zeros(4) + number(one) + number(one) + number(one) + number(one)) +
                            box("stsz", zeros(4) + number(static_cast<uint32_t>(jpeg.size())) + number(one)) +
                            box("stco", zeros(4) + number(one) + number(at));
  const std::string media = box("mdhd", zeros(12) + number(uint32_t{1}) + number(one) + zeros(4)) +
                            box("hdlr", zeros(8) + "vide" + zeros(13)) + box("minf", box("stbl", table));
  return box("ftyp", std::string("qt  ") + zeros(4)) + box("mdat", jpeg) +
         box("moov", box("trak", box("mdia", media)));
}

TEST_F(MediaHelperTest, refuses_a_video_that_declares_too_many_pixels) {
  const std::string jpeg = ImageNamed("turned.jpg");
  EXPECT_EQ(AskOk(Movie(jpeg, 64, 32)).refusal, "");
  EXPECT_EQ(AskOk(Movie(jpeg, 60000, 60000)).refusal, "the video is too large");
  EXPECT_NE(AskOk(Movie(ImageNamed("memory.jpg"), 64, 32)).refusal, "") << "the image says something else";
  ExpectItWorks();
}
#endif

TEST_F(MediaHelperTest, keeps_transparent_parts_except_in_the_blurred_copy) {
  for (const media::Copy& copy : AskOk(ImageNamed("alpha.png")).image.copies) {
    const bool blurred = copy.kind == media::Kind::kBlurred;
    EXPECT_EQ(copy.format, blurred ? media::Format::kJpeg : media::Format::kWebp);
  }
}

TEST_F(MediaHelperTest, refuses_declared_bombs_before_it_decodes_them) {
  EXPECT_THAT(AskOk(ImageNamed("huge.png")).refusal, HasSubstr("declares 144000000 pixels"));
  ExpectItWorks();
}

TEST_F(MediaHelperTest, survives_an_image_that_needs_more_memory_than_it_has) {
  EXPECT_NE(AskOk(ImageNamed("memory.jpg")).refusal, "");
  ExpectItWorks();
  EXPECT_TRUE(Counted("parley_media_failures_total", 1));
  EXPECT_TRUE(Counted("parley_media_restarts_total", 0));
}

TEST_F(MediaHelperTest, survives_truncated_images) {
  for (const char* name : kImages) {
    const std::string whole = ImageNamed(name);
    for (const size_t part : {size_t{1}, whole.size() / 4, whole.size() / 2, whole.size() - 1})
      AskOk(whole.substr(0, part));
  }
  ExpectItWorks();
}

TEST_F(MediaHelperTest, survives_random_bytes_after_a_valid_beginning) {
  const unsigned seed = std::random_device()();
  SCOPED_TRACE("seed " + std::to_string(seed));
  std::mt19937 random(seed);
  for (const char* name : kImages) {
    const std::string whole = ImageNamed(name);
    for (int round = 0; round < 4; ++round) {
      std::string bytes = whole.substr(0, 16 + random() % whole.size());
      while (bytes.size() < 4096) bytes += static_cast<char>(random());
      AskOk(bytes);
    }
  }
  ExpectItWorks();
}

TEST_F(MediaHelperTest, survives_changed_bytes) {
  const unsigned seed = std::random_device()();
  SCOPED_TRACE("seed " + std::to_string(seed));
  std::mt19937 random(seed);
  for (const char* name : kImages) {
    for (int round = 0; round < 4; ++round) {
      std::string bytes = ImageNamed(name);
      for (int changes = 0; changes < 8; ++changes)
        bytes[random() % bytes.size()] = static_cast<char>(random());
      AskOk(bytes);
    }
  }
  ExpectItWorks();
}

TEST_F(MediaHelperTest, takes_a_polyglot_for_one_of_its_formats) {
  const std::string jpeg = ImageNamed("turned.jpg"), page = ImageNamed("page.pdf");
  EXPECT_EQ(AskOk(jpeg + page).image.copies.size(), 3u);
  EXPECT_EQ(AskOk(jpeg + "<script>alert(1)</script>").image.copies.size(), 3u);
  AskOk("GIF89a/*" + page);
  AskOk("<svg>" + jpeg);
  ExpectItWorks();
}

TEST_F(MediaHelperTest, has_no_loaders_of_other_formats) {
  const std::string others[] = {"<svg xmlns='http://www.w3.org/2000/svg' width='8' height='8'/>",
                                "P6\n2 2\n255\n............",
                                "SIMPLE  =                    T",
                                "II*\x01\x01\x01\x01\x01",
                                "#?RADIANCE\n",
                                "push graphic-context\n"};
  for (const std::string& other : others)
    EXPECT_THAT(AskOk(other + std::string(256, ' ')).refusal, Not(IsEmpty())) << other;
}

TEST_F(MediaHelperTest, refuses_a_file_that_is_empty_or_too_large) {
  EXPECT_NE(AskOk("").refusal, "");
  const auto made = helper_->Make(static_cast<int64_t>(media::kInputBytesMax) + 1, [](int64_t, size_t) {
    ADD_FAILURE() << "was read";
    return protocol::Result<std::string>(std::string());
  });
  EXPECT_NE(made->refusal, "");
}

TEST_F(MediaHelperTest, replaces_a_helper_that_is_killed_in_the_middle) {
  ExpectItWorks();
  const std::string large = ImageNamed("turned.jpg") + std::string(size_t{4} << 20, '\0');
  const auto made = helper_->Make(static_cast<int64_t>(large.size()), [&](int64_t offset, size_t size) {
    if (offset == 0) {
      const std::vector<pid_t> children = Children();
      EXPECT_EQ(children.size(), 1u);
      for (const pid_t child : children) ::kill(child, SIGKILL);
    }
    return protocol::Result<std::string>(large.substr(static_cast<size_t>(offset), size));
  });
  ASSERT_TRUE(made.ok());
  EXPECT_EQ(made->refusal, "the helper ended");
  ExpectItWorks();
  EXPECT_TRUE(Counted("parley_media_restarts_total", 1));
}

TEST_F(MediaHelperTest, replaces_a_helper_that_was_killed_while_idle) {
  ExpectItWorks();
  for (const pid_t child : Children()) {
    ::kill(child, SIGKILL);
    siginfo_t info;
    ASSERT_EQ(::waitid(P_PID, static_cast<id_t>(child), &info, WEXITED | WNOWAIT), 0);
  }
  ExpectItWorks();
}

TEST_F(MediaHelperTest, kills_a_helper_that_takes_too_long) {
  const std::string program = ::testing::TempDir() + "slow_media";
  std::ofstream(program) << "#!/bin/sh\nexec /bin/cat >/dev/null\n";
  fs::permissions(program, fs::perms::owner_all);
  Use(program, 200);
  EXPECT_EQ(AskOk(ImageNamed("turned.jpg")).refusal, "the helper took too long");
  EXPECT_THAT(Children(), IsEmpty());
}

TEST_F(MediaHelperTest, fails_one_job_after_the_other_if_the_program_is_none) {
  for (const char* program : {"/bin/false", "/bin/cat", "/usr/bin/yes", "/nowhere/parley-media"}) {
    Use(program);
    for (int job = 0; job < 3; ++job)
      EXPECT_THAT(AskOk(ImageNamed("turned.jpg")).refusal,
                  AnyOf("the helper ended", "the reply breaks the protocol", "the helper cannot be started"))
          << program;
  }
}

TEST_F(MediaHelperTest, gives_the_program_no_environment_and_no_descriptors) {
  Use("/usr/bin/yes");
  const auto made = helper_->Make(1, [&](int64_t, size_t) {
    const std::vector<pid_t> children = Children();
    EXPECT_EQ(children.size(), 1u);
    for (const pid_t child : children) {
      for (const auto& entry : fs::directory_iterator(ProcFile(child, "fd")))
        EXPECT_LE(std::stoi(entry.path().filename().string()), 2);
      std::ifstream environment(ProcFile(child, "environ"));
      EXPECT_EQ(environment.get(), std::char_traits<char>::eof());
    }
    return protocol::Result<std::string>(std::string("x"));
  });
  EXPECT_TRUE(made.ok());
}

TEST_F(MediaHelperTest, passes_on_a_failure_of_the_store_and_works_again) {
  const auto made = helper_->Make(1000, [](int64_t, size_t) -> protocol::Result<std::string> {
    return protocol::Error(protocol::ErrorCode::kUnavailable, "the disk failed");
  });
  ASSERT_FALSE(made.ok());
  EXPECT_EQ(made.error().message, "the disk failed");
  ExpectItWorks();
}

TEST_F(MediaHelperTest, fails_running_jobs_with_an_error_when_the_server_stops) {
  const std::string image = ImageNamed("wide.png");
  const auto made = helper_->Make(static_cast<int64_t>(image.size()), [&](int64_t, size_t) {
    helper_->Stop();
    return protocol::Result<std::string>(image);
  });
  EXPECT_FALSE(made.ok());
  EXPECT_FALSE(Ask(image).ok());
  EXPECT_THAT(Children(), IsEmpty());
}

TEST_F(MediaHelperTest, serves_several_threads_by_one_process_after_the_other) {
  std::vector<std::thread> threads;
  for (int at = 0; at < 4; ++at) threads.emplace_back([&] { ExpectItWorks(); });
  for (std::thread& thread : threads) thread.join();
  EXPECT_EQ(Children().size(), 1u);
}

#ifdef PARLEY_MEDIA
// Returns the signal that ended parley-media with this argument; 0: none.
int SignalOf(const char* argument) {
  const pid_t child = ::fork();
  if (child == 0) {
    ::execl(PARLEY_MEDIA, "parley-media", argument, nullptr);
    ::_exit(1);
  }
  int status = 0;
  EXPECT_EQ(::waitpid(child, &status, 0), child);
  return WIFSIGNALED(status) ? WTERMSIG(status) : 0;
}

TEST(MediaSandbox, kills_a_process_that_opens_a_socket_or_a_file) {
  EXPECT_EQ(SignalOf("--selftest-network"), SIGSYS);
  EXPECT_EQ(SignalOf("--selftest-file"), SIGSYS);
}
#endif

TEST(MediaFrames, of_a_reply_decode_to_what_was_encoded_and_to_nothing_else) {
  media::Image image{640, 480, {}};
  image.copies.push_back({media::Kind::kThumb, media::Format::kWebp, 320, 240, "thumb"});
  image.copies.push_back({media::Kind::kPreview, media::Format::kJpeg, 640, 480, "preview"});
  const std::string reply = media::EncodeMade(image).substr(1);
  media::Image out;
  ASSERT_TRUE(media::DecodeMade(reply, &out));
  EXPECT_EQ(out.h, 480u);
  EXPECT_EQ(out.copies.at(1).bytes, "preview");
  for (size_t size = 0; size < reply.size(); ++size)
    EXPECT_FALSE(media::DecodeMade(reply.substr(0, size), &out)) << size;
  EXPECT_FALSE(media::DecodeMade(reply + "x", &out));
  image.copies.push_back(image.copies[0]);
  EXPECT_FALSE(media::DecodeMade(media::EncodeMade(image).substr(1), &out)) << "a kind twice";
  image.copies = {{media::Kind::kThumb, media::Format::kWebp, 100'000, 240, "thumb"}};
  EXPECT_FALSE(media::DecodeMade(media::EncodeMade(image).substr(1), &out)) << "too wide";
}

}  // namespace
}  // namespace parley::features
