// Sees every commit and records the rows of each thread of the demo tenant after it: the members, and the
// right inbox entry of each member, computed from the rows alone with the naive code of fanout/verify.
// Devices are judged by it: an entry must match the rows at some moment of its lastSeq, and users receive
// nothing about a thread that they left.
#pragma once

#include <map>
#include <optional>
#include <span>
#include <string>
#include <vector>

#include "fanout/verify/entry_facts.h"
#include "storage/table.h"

namespace parley::sim {

class Witness {
 public:
  // Called with each group that was committed and is visible now.
  void OnCommitted(std::span<const storage::CommitRequest> requests,
                   std::span<const storage::CommitResult> results);
  // Called after a start; reads everything in the store.
  void Look(const storage::Reader& store);

  // Moments are numbered, one for every group that changed a thread.
  size_t moment() const { return moment_; }
  // Returns the first moment, from `from` on, at which the user had this entry. Returns nullopt if they never
  // had it, and sets *why to the differences from the last one of that lastSeq.
  std::optional<size_t> Saw(const std::string& thread, const std::string& user,
                            const fanout::EntryFields& entry, size_t from, std::string* why) const;
  // Whether the user was a member at some moment when the thread's last seq was above `seq`.
  bool MemberAbove(const std::string& thread, const std::string& user, int64_t seq) const;
  bool EverMember(const std::string& thread, const std::string& user) const {
    return MemberAbove(thread, user, 0);
  }
  // The seq of the removal of a user who is not a member now; 0 for members and strangers.
  int64_t RemovedAt(const std::string& thread, const std::string& user) const;
  // Whether the user was ever removed from the thread.
  bool EverRemoved(const std::string& thread, const std::string& user) const;

  struct Thread {
    fanout::ThreadFacts facts;
    int64_t last_seq = 0;
    size_t changed = 0;  // the moment of its last shared change
    struct Version {
      size_t moment;
      int64_t last_seq;
      std::optional<fanout::EntryFields> entry;  // nullopt: not a member
    };
    std::map<std::string, std::vector<Version>> versions;  // by user; only changes
    bool Member(const std::string& user) const;            // now
  };
  const std::map<std::string, Thread>& threads() const { return threads_; }

 private:
  void Take(Thread* thread);

  std::map<std::string, Thread> threads_;
  size_t moment_ = 0;
};

}  // namespace parley::sim
