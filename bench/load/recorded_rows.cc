#include "bench/load/recorded_rows.h"

#include "bench/load/local_node.h"
#include "storage/forwarding_table.h"
#include "storage/memory_table.h"
#include "storage/rocksdb_internal.h"
#include "storage/row_format.h"
#include "storage/store_rows.h"

namespace parley::bench {
namespace {

// Records the commits of sends.
class NotingTable final : public storage::ForwardingTable {
 public:
  using ForwardingTable::ForwardingTable;
  bool noting = false;
  std::vector<PhysicalCommit> commits;

  storage::Status Commit(std::span<const storage::CommitRequest> requests,
                         std::vector<storage::CommitResult>* results) override {
    const storage::Status status = under_->Commit(requests, results);
    for (size_t i = 0; noting && status.ok() && i < requests.size(); ++i)
      Note(requests[i], (*results)[i].position);
    return status;
  }

 private:
  void Note(const storage::CommitRequest& request, storage::Position position) {
    PhysicalCommit commit;
    const auto family = static_cast<uint8_t>(storage::FamilyOf(request.partition.table()));
    for (const storage::RowWrite& write : request.writes) {
      commit.push_back({family, storage::RowKeyBytes(request.partition, write.sort),
                        storage::EncodeRowHead(write.row->version) + write.row->payload});
    }
    commit.push_back({static_cast<uint8_t>(storage::Family::kLog), storage::ChangeLogKey(position),
                      storage::EncodeRowHead(1) + request.log_entry});
    commits.push_back(std::move(commit));
  }
};

}  // namespace

std::vector<PhysicalCommit> RecordSends(const RecordPlan& plan) {
  const auto memory = storage::NewMemoryTable();
  NotingTable table(memory.get());
  LocalNode node(table);
  const auto user = [](size_t room, size_t member) {
    return "u" + std::to_string(room) + "_" + std::to_string(member);
  };
  std::vector<protocol::ThreadId> rooms;
  for (size_t room = 0; room < plan.rooms; ++room) {
    std::vector<std::string> members;
    for (size_t i = 0; i < plan.members; ++i) members.push_back(user(room, i));
    rooms.push_back(node.Create(members));
  }
  table.noting = true;
  for (size_t i = 0; i < plan.messages; ++i) {
    const size_t room = i % plan.rooms;
    node.Send(rooms[room], user(room, i / plan.rooms % plan.members), "0000000000000000-" + std::to_string(i),
              std::string(plan.body_bytes, 'x'));
    if (node.queued() == 256) node.Step();
  }
  node.Step();
  return std::move(table.commits);
}

}  // namespace parley::bench
