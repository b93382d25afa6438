import type { ClientState, ThreadState } from '@parley/sdk';
import { fullTime, isolate, type NameOf } from '@parley/shared';

/** Who looks at a thread, and what is theirs to do in it as far as the client can tell; the server decides. */
export interface Viewer {
  userId: string;
  /** May write here, and so react and pin as well. */
  writable: boolean;
  /** Takes part in the thread, and so reports what is in it. */
  member: boolean;
  /** Of the tenant's staff: sees what messages were before, and why a thread is not open. */
  staff: boolean;
  /** Acts on cards for either party, always with a reason. */
  asStaff: boolean;
}

const kStaff: readonly string[] = ['admin', 'support', 'moderator'];

export function isStaff({ role }: Pick<ClientState, 'role'>): boolean {
  return kStaff.includes(role);
}

/** `closed`: something stands in the way of writing, whatever the thread says. */
export function viewerOf(state: ClientState, thread: ThreadState, closed = false): Viewer {
  return {
    userId: state.userId,
    writable: thread.loaded && !closed && refusal(thread) === null,
    member: thread.me !== null,
    staff: isStaff(state),
    asStaff: actsAsStaff(state, thread),
  };
}

/** Support may act on cards for either party unless it is one; the server then wants to know why. */
export function actsAsStaff({ role, userId }: ClientState, { thread }: ThreadState): boolean {
  return ['admin', 'support'].includes(role) && userId !== thread?.buyerUserId && userId !== thread?.sellerUserId;
}

/** Owners (of inquiries and projects buyer and seller, too) and staff add and remove. A direct thread is two people's for good. */
export function mayManage(state: ClientState, { thread, me }: ThreadState): boolean {
  if (thread === null || thread.kind === 'direct') return false;
  const party = state.userId === thread.buyerUserId || state.userId === thread.sellerUserId;
  return me?.permission === 'owner' || party || isStaff(state);
}

export function mayLeave({ thread, me }: ThreadState): boolean {
  return me !== null && thread?.kind !== 'direct';
}

/** Why the thread itself lets the viewer write nothing, in words for people; null when it does not. */
export function refusal({ thread, me, loaded }: ThreadState): string | null {
  if (thread?.status === 'locked') return 'This conversation is locked.';
  if (thread?.status === 'archived') return 'This conversation has been archived.';
  if (loaded && me === null) return 'You are looking at this conversation as staff.';
  if (me?.permission === 'read' || me?.permission === 'files') return 'You can read this conversation, but not write in it.';
  return null;
}

/** Who closed the thread, when and why: the server tells staff only. Null while it is open, or where nothing is told. */
export function closedBy({ thread }: ThreadState, nameOf: NameOf): string | null {
  if (thread === null || thread.status === 'open') return null;
  const { statusBy, statusReason, lockedAt } = thread;
  const when = lockedAt ? `, ${fullTime(Date.parse(lockedAt))}` : '';
  const who = statusBy ? `By ${nameOf(statusBy)}${when}` : when.slice(2);
  const said = [who, isolate(statusReason ?? '')].filter((part) => part !== '');
  return said.length === 0 ? null : said.join(': ');
}
