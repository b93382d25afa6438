// The file of sealing keys. Only its owner may access it, it is no symbolic link, and a change to it is on
// disk as a whole or not at all.
//
//   file = ('#' anything | '' | "psk_" 64 hexadecimal digits) '\n' ..., the newest key first
//
// Whoever loses it loses every secret of the store; so nothing here ever removes a key.
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
inline constexpr std::string_view kSealingKeyFile = "sealing.key";  // in the data directory, unless said
inline constexpr size_t kSealingKeysMax = 64;

// Errors are INTERNAL with a sentence for a person. nullopt: there is no file.
protocol::Result<std::optional<std::vector<SealingKey>>> ReadKeyFile(const std::string& path);
// Makes the file with one key. One that another process has made meanwhile is kept, and read.
protocol::Result<std::vector<SealingKey>> MakeKeyFile(const std::string& path);
// Puts a new key before those that are there. REQUIRES: the file is there.
protocol::Result<std::vector<SealingKey>> AddKey(const std::string& path);

// Of the file's text.
protocol::Result<std::vector<SealingKey>> ParseKeyFile(const std::string& path, std::string_view text);

}  // namespace parley::storage
