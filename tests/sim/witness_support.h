// Sees every commit and remembers what each thread's rows said after it: who was a member, and what the inbox
// entry of each member had to show, computed from the rows alone with the naive code of fanout/verify.
// Of the demo's threads only.
// Devices are judged by it: an entry that they are told must be what the rows said at some moment of its
// lastSeq, and nobody is told anything of a thread that they had left.
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
  // What was committed as one group and is visible now.
  void OnCommitted(std::span<const storage::CommitRequest> requests,
                   std::span<const storage::CommitResult> results);
  // After a start: everything that the store contains.
  void Look(const storage::Reader& store);

  // Moments are numbered, one for every group that changed a thread.
  size_t moment() const { return moment_; }
  // The first moment, from `from` on, at which the user's entry was this. Nothing: it never was; *why says
  // what differs from the last one of that lastSeq.
  std::optional<size_t> Saw(const std::string& thread, const std::string& user,
                            const fanout::EntryFields& entry, size_t from, std::string* why) const;
  // Whether the user was a member at some moment when the thread's last seq was above this.
  bool MemberAbove(const std::string& thread, const std::string& user, int64_t seq) const;
  bool EverMember(const std::string& thread, const std::string& user) const {
    return MemberAbove(thread, user, 0);
  }
  // The seq of the removal of a user who is not a member now; 0: is a member, or never was.
  int64_t RemovedAt(const std::string& thread, const std::string& user) const;
  // Whether the user was ever removed from it.
  bool EverRemoved(const std::string& thread, const std::string& user) const;

  struct Thread {
    fanout::ThreadFacts facts;
    int64_t last_seq = 0;
    size_t changed = 0;  // the moment of its last shared change
    struct Version {
      size_t moment;
      int64_t last_seq;
      std::optional<fanout::EntryFields> entry;  // nothing: not a member
    };
    std::map<std::string, std::vector<Version>> versions;  // by user; only what differs from the one before
    bool Member(const std::string& user) const;            // now
  };
  const std::map<std::string, Thread>& threads() const { return threads_; }

 private:
  void Take(Thread* thread);

  std::map<std::string, Thread> threads_;
  size_t moment_ = 0;
};

}  // namespace parley::sim
