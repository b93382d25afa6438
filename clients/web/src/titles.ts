import type { Entry, Participant, ThreadState } from '@parley/sdk';
import { displayName, listNames } from './format.js';

function othersOf(people: readonly Participant[] | undefined, userId: string): string[] {
  return (people ?? []).map((participant) => participant.userId).filter((id) => id !== userId);
}

/** A thread without a subject is called after whoever else is known to be in it. */
export function entryTitle(entry: Entry, userId: string, people: readonly Participant[] | undefined): string {
  if (entry.subject) return entry.subject;
  const others = othersOf(people, userId);
  if (others.length > 0) return listNames(others);
  const author = entry.lastMessage?.authorUserId;
  if (author != null && author !== userId) return displayName(author);
  return entry.kind === 'project' ? 'Project' : 'Inquiry';
}

export function threadTitle(thread: ThreadState, userId: string): string {
  if (thread.thread?.subject) return thread.thread.subject;
  const others = othersOf(thread.participants, userId);
  if (others.length > 0) return listNames(others);
  return thread.thread?.kind === 'project' ? 'Project' : 'Conversation';
}

export function peopleLine(thread: ThreadState, userId: string): string {
  const others = othersOf(thread.participants, userId);
  return others.length === 0 ? 'Only you' : listNames(others, 4);
}
