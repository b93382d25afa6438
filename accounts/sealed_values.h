// Every secret that a store keeps sealed, wherever it is: the secret attributes of the declared tables, and
// the secrets of table keys. A new place for secrets belongs here, and in the test that counts the places.
//
// Thread contract: one thread; to seal anew, nobody else may write to the store.
#pragma once

#include <map>
#include <string>

#include "storage/sealing/sealer.h"
#include "storage/table.h"

namespace parley::accounts {

struct SealedValues {
  std::map<storage::SealingKeyId, size_t> by_key;
  size_t open = 0;      // not sealed at all
  size_t damaged = 0;   // of sealed ones: open with no key that is there
  size_t resealed = 0;  // of ResealValues(): sealed anew

  // Whether nothing is sealed with another key, or open.
  bool AreAllOf(const storage::SealingKeyId& key) const;
};

storage::Status CountSealedValues(const storage::Table& table, const storage::Sealer& sealer,
                                  SealedValues* out);
// Whether there may be originals of messages, for which every row of every thread is read. A store that has
// no record of its sealing keys yet has none: the record is older than they are.
enum class Originals : bool { kNone, kMaybe };
// Seals with the newest key what is sealed with another, or open, a few hundred values in each commit: after
// a crash it goes on with those that are left. What is damaged stays as it is. *out: as they are afterwards.
storage::Status ResealValues(storage::Table& table, const storage::Sealer& sealer, Originals originals,
                             SealedValues* out);

}  // namespace parley::accounts
