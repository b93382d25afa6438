import type { ClientState, ThreadState } from '@parley/sdk';
import { fullTime, isolate, type NameOf } from '@parley/shared';

/** The viewer's permissions in a thread, as far as the client knows; the server decides. */
export interface Viewer {
  userId: string;
  /** May write, react and pin. */
  writable: boolean;
  /** Participates in the thread, and so may report its contents. */
  member: boolean;
  /** Is staff of the tenant: sees earlier versions of messages, and the reason why a thread is not open. */
  staff: boolean;
  /** The highest band of files that they see clearly here. */
  bandMax: number;
  /** Acts on cards for either party, always with a reason. */
  asStaff: boolean;
}

const kStaff: readonly string[] = ['admin', 'support', 'moderator'];

export function isStaff({ role }: Pick<ClientState, 'role'>): boolean {
  return kStaff.includes(role);
}

/** `closed`: the viewer cannot write, whatever the thread's state. */
export function viewerOf(state: ClientState, thread: ThreadState, closed = false): Viewer {
  return {
    userId: state.userId,
    writable: thread.loaded && !closed && refusal(thread) === null,
    member: thread.me !== null,
    staff: isStaff(state),
    bandMax: bandMaxOf(state, thread),
    asStaff: actsAsStaff(state, thread),
  };
}

const kHighestBand = 2;

function bandMaxOf(state: ClientState, { thread }: ThreadState): number {
  if (isStaff(state)) return kHighestBand;
  return thread?.safeModeRequired === true ? 0 : state.safeMode.bandMax;
}

/** Support may act on cards for either party unless it is one; then the server requires a reason. */
export function actsAsStaff({ role, userId }: ClientState, { thread }: ThreadState): boolean {
  return ['admin', 'support'].includes(role) && userId !== thread?.buyerUserId && userId !== thread?.sellerUserId;
}

/**
 * Owners (in inquiries and projects buyer and seller, too) and staff may add and remove. The two users of a direct
 * thread are permanent.
 */
export function mayManage(state: ClientState, { thread, me }: ThreadState): boolean {
  if (thread === null || thread.kind === 'direct') return false;
  const party = state.userId === thread.buyerUserId || state.userId === thread.sellerUserId;
  return me?.permission === 'owner' || party || isStaff(state);
}

export function mayLeave({ thread, me }: ThreadState): boolean {
  return me !== null && thread?.kind !== 'direct';
}

/** Returns why the thread does not let the viewer write, in words for people, or null. */
export function refusal({ thread, me, loaded }: ThreadState): string | null {
  if (thread?.status === 'locked') return 'This conversation is locked.';
  if (thread?.status === 'archived') return 'This conversation has been archived.';
  if (loaded && me === null) return 'You are looking at this conversation as staff.';
  if (me?.permission === 'read' || me?.permission === 'files') return 'You can read this conversation, but not write in it.';
  return null;
}

/**
 * Returns who closed the thread, when and why; the server sends it only to staff. Null while the thread is open or
 * without this data.
 */
export function closedBy({ thread }: ThreadState, nameOf: NameOf): string | null {
  if (thread === null || thread.status === 'open') return null;
  const { statusBy, statusReason, lockedAt } = thread;
  const when = lockedAt ? `, ${fullTime(Date.parse(lockedAt))}` : '';
  const who = statusBy ? `By ${nameOf(statusBy)}${when}` : when.slice(2);
  const said = [who, isolate(statusReason ?? '')].filter((part) => part !== '');
  return said.length === 0 ? null : said.join(': ');
}
