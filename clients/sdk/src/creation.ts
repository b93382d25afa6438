import type { Frame } from './codec.js';
import type { NewThreadArgs } from './wire.js';

/** A buyer asks the first of the others, as a seller; direct threads and groups have members only. */
export function creationArgs({ otherUserIds, ...rest }: NewThreadArgs, userId: string): Frame {
  const members = (userIds: readonly string[]): Frame =>
    userIds.length === 0 ? {} : { participants: userIds.map((member) => ({ userId: member })) };
  if (rest.kind === 'direct' || rest.kind === 'group') return { ...rest, ...members(otherUserIds) };
  const [sellerUserId, ...more] = otherUserIds;
  return { ...rest, buyerUserId: userId, sellerUserId, ...members(more) };
}
