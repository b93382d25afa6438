import type { Message, Participant, ThreadState } from '@parley/sdk';

export type { ThreadState };

export function threadWith(messages: Message[], participants: readonly Participant[]): ThreadState {
  return {
    threadId: 'thrd_a',
    loaded: true,
    placing: false,
    thread: null,
    participants,
    me: null,
    timeline: { messages, hasOlder: false, hasNewer: false },
    cards: {},
    panel: {},
    farPins: {},
    tracker: { held: 0, catchingUp: false },
    typing: [],
    presence: {},
    loadingOlder: false,
    loadingNewer: false,
    failure: null,
    failureCode: null,
  };
}
