import type { ClientState, Entry } from '@parley/sdk';

/** Suggestions for a new conversation in a demo. */
const kDemoPeople = ['usr_alice', 'usr_bob', 'usr_carol', 'usr_dave'];

function timeOf({ lastMessageAt, createdAt }: Entry): string {
  return lastMessageAt ?? createdAt ?? '';
}

/**
 * Users who share conversations with this one, as far as the page knows, the latest conversation first. Without the
 * user themselves, users they blocked, and deleted users.
 */
export function knownPeople(state: ClientState, demo: boolean): string[] {
  const { inbox, people, threads, names, blocked, userId } = state;
  const found = new Set<string>();
  const newest = Object.values(inbox.entries).sort((a, b) => (timeOf(a) < timeOf(b) ? 1 : -1));
  for (const { threadId, lastMessage, request } of newest) {
    if (request != null && request.state !== 'accepted') continue; // not accepted yet
    const held = threads[threadId]?.participants.map((participant) => participant.userId);
    for (const id of held ?? people[threadId] ?? []) found.add(id);
    const author = lastMessage?.authorUserId ?? null;
    if (author !== null) found.add(author);
  }
  if (demo) for (const id of kDemoPeople) found.add(id);
  const hidden = new Set([userId, ...(blocked ?? []).map((person) => person.userId)]);
  return [...found].filter((id) => !hidden.has(id) && names.get(id)?.deleted !== true);
}
