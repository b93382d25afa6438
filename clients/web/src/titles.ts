import type { Entry, ThreadKind, ThreadState } from '@parley/sdk';
import { isolate, listNames, type NameOf } from '@parley/shared';

const kNames: Readonly<Record<ThreadKind, string>> = { inquiry: 'Inquiry', project: 'Project', direct: 'Conversation', group: 'Group' };

function without(userIds: readonly string[], userId: string): string[] {
  return userIds.filter((id) => id !== userId);
}

/** Returns the other participants of an entry's thread if known, else the last author. */
function othersOf(entry: Entry, userId: string, people: readonly string[] | undefined): string[] {
  const others = without(people ?? [], userId);
  if (others.length === 0 && entry.request !== null && entry.request.fromUserId !== userId) return [entry.request.fromUserId];
  const author = entry.lastMessage?.authorUserId;
  return others.length === 0 && author != null && author !== userId ? [author] : others;
}

/** A direct thread, and one without a subject, is named after the other known participants. */
export function entryTitle(entry: Entry, userId: string, people: readonly string[] | undefined, nameOf: NameOf): string {
  if (entry.subject && entry.kind !== 'direct') return isolate(entry.subject);
  const others = othersOf(entry, userId, people);
  return others.length > 0 ? listNames(others, nameOf) : kNames[entry.kind];
}

/** Returns the id for a thread's colour and initials: of the other user in a direct thread, else of the thread itself. */
export function entryFace(entry: Entry, userId: string, people: readonly string[] | undefined): string {
  return (entry.kind === 'direct' ? othersOf(entry, userId, people)[0] : undefined) ?? entry.threadId;
}

function memberIds({ participants }: ThreadState, userId: string): string[] {
  return without(participants.map((participant) => participant.userId), userId);
}

export function threadTitle(state: ThreadState, userId: string, nameOf: NameOf): string {
  const { thread } = state;
  if (thread?.subject && thread.kind !== 'direct') return isolate(thread.subject);
  const others = memberIds(state, userId);
  if (others.length > 0) return listNames(others, nameOf);
  return thread === null ? 'Conversation' : kNames[thread.kind];
}

export function threadFace(state: ThreadState, userId: string): string {
  return (state.thread?.kind === 'direct' ? memberIds(state, userId)[0] : undefined) ?? state.threadId;
}

/** The participants, shown under the title; omitted in a direct thread, whose title already names the other user. */
export function peopleLine(state: ThreadState, userId: string, nameOf: NameOf): string {
  const others = memberIds(state, userId);
  if (state.thread?.kind === 'direct') return 'Direct message';
  if (others.length === 0) return 'Only you';
  return listNames(others, nameOf, 4);
}
