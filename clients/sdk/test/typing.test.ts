import { describe, expect, it } from 'vitest';
import { TypingOut } from '../src/typing.js';

describe('typing', () => {
  it('is reported at most once per five seconds, and its end once', () => {
    let now = 0;
    const sent: string[] = [];
    const typing = new TypingOut((threadId, on) => sent.push(`${threadId} ${on}`), () => now);
    for (now = 0; now < 11_000; now += 100) typing.typed('a');
    typing.stopped('a');
    typing.stopped('a');
    expect(sent).toEqual(['a true', 'a true', 'a true', 'a false']);
  });

  it('ends in one thread when it begins in another', () => {
    const sent: string[] = [];
    const typing = new TypingOut((threadId, on) => sent.push(`${threadId} ${on}`), () => 0);
    typing.typed('a');
    typing.typed('b');
    expect(sent).toEqual(['a true', 'a false', 'b true']);
  });
});
