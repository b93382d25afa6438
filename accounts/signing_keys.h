// Signing keys that were derived already: four HMACs saved with every request of a client that comes back.
//
// Bounded: twice kGeneration entries. The older generation is dropped when the newer one is full, so that
// what is used stays. Only keys whose signature was verified are to be added: nobody without a secret can
// push out what others use.
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

  // By credential: "PKT…/20150830/us-east-1/dynamodb/aws4_request". A secret never changes under its access
  // key id, so an entry cannot become wrong; whether the access key still holds is asked elsewhere.
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
