// Usable memory: the machine's, reduced by the limits of control groups.
#include "storage/usable_memory.h"

#include <gtest/gtest.h>

#include <cstdint>
#include <filesystem>
#include <fstream>

#include "tests/storage/temp_dir.h"

namespace parley::storage {
namespace {

constexpr size_t kGiB = size_t{1} << 30;

class UsableMemoryTest : public testing::Test {
 protected:
  void Put(const std::string& path, const std::string& text) {
    const std::filesystem::path at = dir_.path() + path;
    std::filesystem::create_directories(at.parent_path());
    std::ofstream file(at);
    file << text;
    ASSERT_TRUE(file.flush());
  }
  size_t Usable() { return UsableMemory(dir_.path()); }

  TempDir dir_;
};

TEST_F(UsableMemoryTest, is_the_machines_if_no_group_limits_it) {
  Put("/proc/meminfo", "MemTotal:        8388608 kB\nMemFree:         1000 kB\n");
  EXPECT_EQ(Usable(), 8 * kGiB);
  Put("/proc/self/cgroup", "0::/app\n");
  Put("/sys/fs/cgroup/app/memory.max", "max\n");
  EXPECT_EQ(Usable(), 8 * kGiB);
}

TEST_F(UsableMemoryTest, is_the_least_that_a_group_or_one_above_it_leaves) {
  Put("/proc/meminfo", "MemTotal:        8388608 kB\n");
  Put("/proc/self/cgroup", "0::/slice/app\n");
  Put("/sys/fs/cgroup/slice/app/memory.max", std::to_string(3 * kGiB));
  EXPECT_EQ(Usable(), 3 * kGiB);
  Put("/sys/fs/cgroup/slice/memory.max", std::to_string(2 * kGiB));
  EXPECT_EQ(Usable(), 2 * kGiB);
  Put("/sys/fs/cgroup/slice/memory.max", std::to_string(100 * kGiB));
  EXPECT_EQ(Usable(), 3 * kGiB);
}

TEST_F(UsableMemoryTest, is_found_if_the_groups_path_is_one_of_the_host) {
  Put("/proc/meminfo", "MemTotal:        8388608 kB\n");
  Put("/proc/self/cgroup", "0::/docker/0123\n");
  Put("/sys/fs/cgroup/memory.max", std::to_string(kGiB));
  EXPECT_EQ(Usable(), kGiB);
}

TEST_F(UsableMemoryTest, knows_the_first_version_of_control_groups) {
  Put("/proc/meminfo", "MemTotal:        8388608 kB\n");
  Put("/proc/self/cgroup", "12:cpu,cpuacct:/a\n5:memory:/a\n1:name=systemd:/a\n");
  Put("/sys/fs/cgroup/memory/a/memory.limit_in_bytes", std::to_string(kGiB));
  Put("/sys/fs/cgroup/memory/memory.limit_in_bytes", "9223372036854771712");
  EXPECT_EQ(Usable(), kGiB);
}

TEST_F(UsableMemoryTest, is_unknown_if_nothing_can_be_read) {
  EXPECT_EQ(Usable(), SIZE_MAX);
  Put("/proc/meminfo", "nonsense");
  Put("/proc/self/cgroup", "nonsense\n:\n0::\n");
  EXPECT_EQ(Usable(), SIZE_MAX);
}

TEST(UsualBlockCache, is_an_eighth_within_bounds) {
  EXPECT_EQ(UsualBlockCache(4 * kGiB), kGiB / 2);
  EXPECT_EQ(UsualBlockCache(24 * kGiB), 3 * kGiB);
  EXPECT_EQ(UsualBlockCache(kGiB / 8), kGiB / 16);
  EXPECT_EQ(UsualBlockCache(0), kGiB / 16);
  EXPECT_EQ(UsualBlockCache(SIZE_MAX), kGiB / 2);
}

}  // namespace
}  // namespace parley::storage
