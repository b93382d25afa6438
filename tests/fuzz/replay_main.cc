// Replaces libFuzzer in builds without it: runs a fuzzer on every file of a folder, on every prefix of each,
// and on each with every byte changed, so that every build replays earlier findings. A finding ends the
// process.
#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <cstdio>
#include <filesystem>
#include <fstream>
#include <iterator>
#include <memory>
#include <string>
#include <vector>

extern "C" int LLVMFuzzerTestOneInput(const uint8_t* data, size_t size);

namespace {

constexpr size_t kVariantsMax = 2048;  // per file and kind; a longer file is sampled evenly

size_t runs = 0;

// A buffer of exactly this size lets a sanitizer see the first byte read beyond it.
void Run(const std::string& bytes, size_t size) {
  const auto exact = std::make_unique<uint8_t[]>(size);
  std::copy_n(bytes.begin(), size, exact.get());
  LLVMFuzzerTestOneInput(exact.get(), size);
  ++runs;
}

void Replay(const std::string& bytes) {
  Run(bytes, bytes.size());
  const size_t step = bytes.size() / kVariantsMax + 1;
  for (size_t at = 0; at < bytes.size(); at += step) {
    Run(bytes, at);
    std::string changed = bytes;
    changed[at] = static_cast<char>(changed[at] ^ (at % 2 == 0 ? 0x01 : 0xff));
    Run(changed, changed.size());
  }
}

}  // namespace

int main(int argc, char** argv) {
  if (argc != 2) {
    std::fprintf(stderr, "usage: %s FOLDER\n", argv[0]);
    return 2;
  }
  std::vector<std::filesystem::path> files;
  std::error_code error;
  for (const auto& entry : std::filesystem::directory_iterator(argv[1], error)) {
    if (entry.is_regular_file()) files.push_back(entry.path());
  }
  if (files.empty()) {
    std::fprintf(stderr, "%s: no corpus to replay\n", argv[1]);
    return 2;
  }
  std::sort(files.begin(), files.end());
  for (const auto& file : files) {
    std::printf("%s\n", file.c_str());
    std::fflush(stdout);
    std::ifstream in(file, std::ios::binary);
    Replay({std::istreambuf_iterator<char>(in), std::istreambuf_iterator<char>()});
  }
  std::printf("%zu files, %zu inputs\n", files.size(), runs);
  return 0;
}
