import { describe, expect, it } from 'vitest';
import { snoozeChoices, snoozeWords } from '../src/snooze.js';

// Local times, because the meaning of "tomorrow morning" depends on the time zone.
const at = (day: number, hour: number, minute = 0): Date => new Date(2025, 10, day, hour, minute);
const keys = (now: Date, kind: Parameters<typeof snoozeChoices>[1] = 'project'): string[] => snoozeChoices(now, kind).map(({ key }) => key);
const end = (now: Date, key: string): Date => new Date(snoozeChoices(now, 'project').find((choice) => choice.key === key)!.change.snoozedUntil!);

describe('the times offered for snoozing', () => {
  it('are later today, tomorrow, and the next Monday', () => {
    const wednesday = at(5, 10, 20);
    expect(keys(wednesday).slice(0, 4)).toEqual(['hours', 'evening', 'tomorrow', 'week']);
    expect(end(wednesday, 'hours')).toEqual(at(5, 13, 20));
    expect(end(wednesday, 'evening')).toEqual(at(5, 18));
    expect(end(wednesday, 'tomorrow')).toEqual(at(6, 9));
    expect(end(wednesday, 'week')).toEqual(at(10, 9));
  });

  it('leave out an evening that has begun, and a Monday that is tomorrow', () => {
    expect(keys(at(5, 17))).not.toContain('evening');
    expect(keys(at(9, 10))).not.toContain('week'); // a Sunday
    expect(end(at(10, 10), 'week')).toEqual(at(17, 9)); // on a Monday it is the next one
  });

  it('are all in the future, at any hour of any weekday', () => {
    for (let day = 3; day < 10; ++day) {
      for (let hour = 0; hour < 24; ++hour) {
        const now = at(day, hour, 59);
        for (const { change } of snoozeChoices(now, 'direct')) {
          if (change.snoozedUntil != null) expect(Date.parse(change.snoozedUntil)).toBeGreaterThan(now.getTime());
        }
      }
    }
  });
});

describe('the events offered for snoozing', () => {
  it('are those that a thread of the kind can have', () => {
    const events = (kind: Parameters<typeof snoozeChoices>[1]) =>
      snoozeChoices(at(5, 10), kind).flatMap(({ change }) => change.snoozedUntilEvent ?? []);
    expect(events('project')).toEqual(['message', 'card', 'status']);
    expect(events('inquiry')).toEqual(['message', 'status']);
    expect(events('direct')).toEqual(['message']);
    expect(events('group')).toEqual(['message']);
  });
});

describe('the end of a snooze', () => {
  const now = at(5, 10).getTime();
  it('is described in a few words', () => {
    expect(snoozeWords({ snoozedUntil: null, snoozedUntilEvent: 'card' }, now)).toBe('until a card changes');
    expect(snoozeWords({ snoozedUntil: null, snoozedUntilEvent: 'message' }, now)).toBe('until a message');
    const evening = { snoozedUntil: at(5, 18).toISOString() };
    expect(snoozeWords(evening, now)).toMatch(/^until \D*0?6:00|^until 18:00$/);
    expect(snoozeWords({ ...evening, snoozedUntilEvent: 'status' }, now)).toMatch(/ or its status changes$/);
    expect(snoozeWords({ snoozedUntil: at(7, 9).toISOString() }, now)).toMatch(/^until Fri /);
    expect(snoozeWords({ snoozedUntil: at(25, 9).toISOString() }, now)).toMatch(/Nov/);
  });
});
