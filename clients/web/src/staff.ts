import type { ClientState, ThreadState } from '@parley/sdk';

/** Support may act on cards for either party unless it is one; the server then wants to know why. */
export function actsAsStaff({ role, userId }: ClientState, { thread }: ThreadState): boolean {
  return ['admin', 'support'].includes(role) && userId !== thread?.buyerUserId && userId !== thread?.sellerUserId;
}
