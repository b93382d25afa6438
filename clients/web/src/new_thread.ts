import { hintOf, ParleyError, type ThreadKind } from '@parley/sdk';
import { isId, restWords } from '@parley/shared';

/** The choices in the dialog: a message is a direct thread or a group, depending on the number of recipients. */
export type Choice = 'message' | 'inquiry' | 'project';

export const kChoices: readonly { choice: Choice; label: string; hint: string }[] = [
  { choice: 'message', label: 'Message', hint: 'To one person, or to several as a group.' },
  { choice: 'inquiry', label: 'Inquiry', hint: 'Ask someone about something you may book.' },
  { choice: 'project', label: 'Project', hint: 'With action cards, a brief and a shot list.' },
];

export function kindOfChoice(choice: Choice, people: number): ThreadKind {
  if (choice !== 'message') return choice;
  return people > 1 ? 'group' : 'direct';
}

/** usr_a, usr_b usr_c: splits typed or pasted ids and removes duplicates. */
export function splitPeople(text: string): string[] {
  return [...new Set(text.split(/[\s,;]+/).filter((part) => part !== ''))];
}

/** Names the users that the tenant does not know, if the error is about them; null for any other error. */
export function unknownPeople(error: unknown, people: readonly string[], kind: ThreadKind): string | null {
  if (!(error instanceof ParleyError) || error.code !== 'NOT_FOUND') return null;
  const first = kind === 'direct' || kind === 'group' ? 0 : 1; // otherwise the first of them is the seller
  const unknown = Object.keys(error.details.fields ?? {}).flatMap((field) => {
    const index = field === 'sellerUserId' ? 0 : first + Number(/^participants\.(\d+)\.userId$/.exec(field)?.[1] ?? NaN);
    return people[index] ?? [];
  });
  return unknown.length === 0 ? null : `No user here has the id ${unknown.join(', ')}.`;
}

/** Explains that a user to add is unknown; null for any other error. */
export function unknownPerson(error: unknown, userId: string): ParleyError | null {
  if (!(error instanceof ParleyError) || error.code !== 'NOT_FOUND' || error.details.fields?.['userId'] === undefined) return null;
  return new ParleyError(error.code, error.message, `No user here has the id ${userId}.`, error.details);
}

/** Returns the error in the list of people in words, or null. */
export function complaintAbout(people: readonly string[], userId: string, kind: ThreadKind): string | null {
  const bad = people.find((id) => !isId(id));
  if (bad !== undefined) return `“${bad}” is not a user id: an id has 1 to 64 letters, digits or _ . : -`;
  if (people.length === 0) return 'Name at least one person.';
  if (people.includes(userId)) return 'A conversation needs someone else.';
  return kind === 'inquiry' && people.length > 1 ? 'An inquiry goes to one person.' : null;
}

// Demands of a recipient on strangers that cannot be typed into a field.
const kUnsayable: Readonly<Record<string, string>> = {
  verifiedOnly: 'Only verified people may write to them.',
  minAge: 'They require a verified age.',
};

/** Returns the names of the answers that the recipient requires with the first message. */
export function askedFor(error: unknown): string[] {
  if (!(error instanceof ParleyError) || error.code !== 'CONTACT_FILTER_UNMET') return [];
  return Object.keys(error.details.fields ?? {}).filter((name) => !(name in kUnsayable));
}

/**
 * Explains why a conversation could not be started. `blocked`: names of recipients whom the viewer has blocked; only
 * the viewer may see them.
 */
export function startRefusal(error: unknown, blocked: readonly string[] = []): string {
  if (!(error instanceof ParleyError)) return hintOf(error);
  const { code, hint, details } = error;
  const fields = Object.keys(details.fields ?? {});
  if (code === 'CONTACT_FILTER_UNMET') return [hint, ...fields.flatMap((name) => kUnsayable[name] ?? [])].join(' ');
  if (code === 'FORBIDDEN' && fields.includes('idVerified')) return 'Only verified people may start conversations here.';
  if (code === 'MSG_BLOCKED_BY_USER' && blocked.length > 0) return `You have blocked ${blocked.join(', ')}. Unblock them first, in the list of blocked people.`;
  if (code === 'MSG_GATE_REQUIRED') return 'You have asked this person already. Wait until your request is accepted.';
  if (details.retryAfterMs === undefined) return hint;
  return `${hint} Try again in ${restWords(details.retryAfterMs, 0)}.`;
}
