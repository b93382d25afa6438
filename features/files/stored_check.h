// Compares the rows of uploads with the stored bytes, for `parleyctl verify --files`: the bytes that a row
// names are there, with their size, and so are those of its variants.
//
// Thread contract: blocking; any thread. Memory does not grow with the store.
#pragma once

#include <cstdint>
#include <functional>
#include <string>

#include "features/files/blob_store.h"
#include "storage/table.h"

namespace parley::features {

struct StoredReport {
  size_t files = 0;        // rows with stored bytes
  size_t blobs = 0;        // stored files and variants that the rows name, each as often as it is named
  size_t differences = 0;  // missing blobs, and those with other bytes
  size_t orphans = 0;      // stored files and variants that no row needs
  std::string trouble;     // why not everything could be examined; empty: everything was
};

// Calls `differs` with a sentence for each difference, which names tenant and upload. `hashes`: reads all
// bytes of the originals, too, and compares their SHA-256. Returns storage's status; if it is not ok,
// disregard the report.
storage::Status CheckStored(const storage::Table& table, BlobStore& blobs, bool hashes,
                            const std::function<void(const std::string&)>& differs, StoredReport* report);

}  // namespace parley::features
