import type { Message, OpenReply } from '@parley/sdk';
import { describe, expect, it } from 'vitest';
import { message, openReply } from '../../sdk/test/items.js';
import { lookInOf, withEvent, withMessage, withOlder, type LookIn } from '../src/look_in.js';

const said = (no: number, change: Partial<Message> = {}): Message => ({ ...message(no), ...change });
const open = (...numbers: number[]): LookIn => lookInOf({ ...openReply('thrd_a', numbers.map((no) => said(no))), cursor: 'older' } as OpenReply);
const numbers = ({ messages }: LookIn): number[] => messages.map(({ msgNo }) => msgNo);

describe('a look into a conversation', () => {
  it('shows messages in order, however they arrived', () => {
    expect(numbers(open(5, 4, 3))).toEqual([3, 4, 5]);
    expect(numbers(withOlder(open(5, 4), [said(4), said(3), said(2)], null))).toEqual([2, 3, 4, 5]);
  });

  it('applies events, keeps the newer copy of each message, and leaves older pages to be read', () => {
    const held = withMessage(open(4, 5), said(6));
    expect(numbers(held)).toEqual([4, 5, 6]);
    const changed = withMessage(held, said(5, { seq: 900, body: 'changed' }));
    expect(withMessage(changed, said(5)).messages[1]).toMatchObject({ body: 'changed' });
    expect(numbers(withMessage(held, said(2)))).toEqual([4, 5, 6]);
  });

  it('ignores events of other conversations', () => {
    const held = open(4);
    expect(withEvent(held, { ev: 'message.created', threadId: 'thrd_b', seq: 9, item: said(9) })).toBe(held);
    expect(numbers(withEvent(held, { ev: 'message.created', threadId: 'thrd_a', seq: 9, item: said(9) }))).toEqual([4, 9]);
    expect(withEvent(held, { ev: 'skip', threadId: 'thrd_a', seq: 10 })).toBe(held);
  });
});
