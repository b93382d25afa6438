#include "threads/members/operations.h"

#include "threads/members/manage_participants.h"
#include "threads/members/participant_reads.h"
#include "threads/run/write_op.h"

namespace parley::threads {

Operations MemberOperations() {
  static const Operation rows[] = {
      ReadOp<protocol::ParticipantList, ListParticipants>(),
      WriteOp<AddParticipant>(),
      WriteOp<RemoveParticipant>(),
      WriteOp<UpdateParticipant>(),
  };
  return rows;
}

}  // namespace parley::threads
