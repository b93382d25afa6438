// The file of sealing keys. Only its owner may access it, it is no symbolic link, and a change to it is
// written to disk completely or not at all.
//
//   file = ('#' anything | '' | "psk_" 64 hexadecimal digits) '\n' ..., the newest key first
//
// Losing the file means losing every secret of the store; so no function here removes a key.
//
// Thread contract: any thread; processes that change one file do so one after another.
#pragma once

#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "protocol/base/result.h"
#include "storage/sealing/sealing_key.h"

namespace parley::storage {

inline constexpr std::string_view kSealingKeyPrefix = "psk_";
inline constexpr std::string_view kSealingKeyFile = "sealing.key";  // in the data directory by default
inline constexpr size_t kSealingKeysMax = 64;

// Errors are INTERNAL with a sentence for a person. nullopt if the file does not exist.
protocol::Result<std::optional<std::vector<SealingKey>>> ReadKeyFile(const std::string& path);
// Creates the file with one key. If another process created it first, reads that one.
protocol::Result<std::vector<SealingKey>> MakeKeyFile(const std::string& path);
// Adds a new key before the present ones. REQUIRES: the file exists.
protocol::Result<std::vector<SealingKey>> AddKey(const std::string& path);

// Parses the file's text.
protocol::Result<std::vector<SealingKey>> ParseKeyFile(const std::string& path, std::string_view text);

}  // namespace parley::storage
