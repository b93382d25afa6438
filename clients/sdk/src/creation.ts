import type { Frame } from './codec.js';
import type { NewThreadArgs } from './wire.js';

/** In inquiries and projects the first of the others is the seller; direct threads and groups have only members. */
export function creationArgs({ otherUserIds, ...rest }: NewThreadArgs, userId: string): Frame {
  const members = (userIds: readonly string[]): Frame =>
    userIds.length === 0 ? {} : { participants: userIds.map((member) => ({ userId: member })) };
  if (rest.kind === 'direct' || rest.kind === 'group') return { ...rest, ...members(otherUserIds) };
  const [sellerUserId, ...more] = otherUserIds;
  return { ...rest, buyerUserId: userId, sellerUserId, ...members(more) };
}
