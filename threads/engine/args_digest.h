// Digests of a request's arguments, which tell a repeat from another request with the same key. The digest is
// stored beside the first answer (IDEM#) or the reservation (CREATE#, BROADCAST#). It covers only the
// arguments that were given, so a release that adds an argument still recognises requests sent to the one
// before.
#pragma once

#include <string>
#include <string_view>

#include "protocol/base/crypto.h"
#include "protocol/canonical.h"
#include "threads/model/rows.h"

namespace parley::threads {

namespace args_digest_internal {
inline std::string Digest(std::string_view bytes, std::string_view within) {
  std::string digest = protocol::Sha256(bytes).substr(0, kDigestSize);
  if (within.empty()) return digest;
  return protocol::Sha256(digest.append(within)).substr(0, kDigestSize);
}
}  // namespace args_digest_internal

// `within`: the id of the larger request that this is part of, if any (the LBG of a broadcast).
template <class Args>
std::string DigestOf(const Args& args, std::string_view within = {}) {
  return args_digest_internal::Digest(protocol::CanonicalBytes(args), within);
}

// Whether `kept` is the digest of the same arguments. Parley 0.1.0 wrote every argument that it knew, as null
// if it was not given: such digests still match. An argument added since then to an op with a clientId must
// therefore be an Omit<T> while such rows exist (IDEM#: 48 hours after the upgrade).
template <class Args>
bool SaidBefore(std::string_view kept, const Args& args, std::string_view within = {}) {
  return kept == DigestOf(args, within) ||
         kept == args_digest_internal::Digest(protocol::Encode(args), within);
}

}  // namespace parley::threads
