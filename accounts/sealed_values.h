// Every secret that a store keeps sealed, wherever it is: the secret attributes of the declared tables, and
// the secrets of table keys. Add a new place for secrets here, and to the test that counts the places.
//
// Thread contract: one thread; while resealing, there must be no other writer.
#pragma once

#include <map>
#include <string>

#include "storage/sealing/sealer.h"
#include "storage/table.h"

namespace parley::accounts {

struct SealedValues {
  std::map<storage::SealingKeyId, size_t> by_key;
  size_t open = 0;      // not sealed
  size_t damaged = 0;   // sealed, but no present key opens them
  size_t resealed = 0;  // resealed by ResealValues()

  // Whether all values are sealed with this key.
  bool AreAllOf(const storage::SealingKeyId& key) const;
};

storage::Status CountSealedValues(const storage::Table& table, const storage::Sealer& sealer,
                                  SealedValues* out);
// Whether there may be originals of messages, which requires reading every row of every thread. A store
// without a record of its sealing keys has none: the record is older than they are.
enum class Originals : bool { kNone, kMaybe };
// Seals values that are open or sealed with an older key with the newest one, a few hundred in each commit:
// after a crash it continues with the rest. Damaged values stay unchanged. *out: the counts afterwards.
storage::Status ResealValues(storage::Table& table, const storage::Sealer& sealer, Originals originals,
                             SealedValues* out);

}  // namespace parley::accounts
