// Caches derived signing keys: saves four HMACs with every further request of a client.
//
// Bounded: twice kGeneration entries. The older generation is dropped when the newer one is full, so that
// used entries stay. Add only keys whose signature was verified: then an attacker without a secret cannot
// evict the entries of others.
//
// Thread-safe.
#pragma once

#include <cstddef>
#include <map>
#include <optional>
#include <string>
#include <string_view>

#include "protocol/base/mutex.h"

namespace parley::accounts {

class SigningKeys {
 public:
  static constexpr size_t kGeneration = 512;

  // By credential: "PKT…/20150830/us-east-1/dynamodb/aws4_request". The secret of an access key id never
  // changes, so an entry never becomes wrong; the caller checks whether the access key is still valid.
  std::optional<std::string> Find(std::string_view credential);
  void Add(const std::string& credential, const std::string& signing_key);
  size_t size() const;

 private:
  using Keys = std::map<std::string, std::string, std::less<>>;
  void AddLocked(const std::string& credential, const std::string& signing_key) REQUIRES(mutex_);

  mutable protocol::Mutex mutex_;
  Keys newer_ GUARDED_BY(mutex_);
  Keys older_ GUARDED_BY(mutex_);
};

}  // namespace parley::accounts
