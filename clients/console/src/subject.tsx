import type { Case } from '@parley/sdk';
import { useNames } from '@parley/shared';

/** Describes the subject of a case in a few words. */
export function subjectWords({ type, userId }: Pick<Case, 'type' | 'userId'>, nameOf: (userId: string) => string): string {
  switch (type) {
    case 'message':
      return userId === null ? 'Message' : `Message of ${nameOf(userId)}`;
    case 'thread':
      return 'Conversation';
    case 'user':
      return userId === null ? 'User' : `User ${nameOf(userId)}`;
  }
}

export function Subject({ of }: { of: Case }) {
  const nameOf = useNames();
  return <>{subjectWords(of, nameOf)}</>;
}
