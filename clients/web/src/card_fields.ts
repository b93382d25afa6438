import type { Fields } from '@parley/sdk';

/** A field of a card's payload, as a form asks for it. */
export interface CardField {
  name: string;
  label: string;
  input: 'text' | 'long' | 'number' | 'money' | 'time' | 'choice' | 'check';
  required?: boolean;
  /** Of texts the most characters, of numbers the highest. */
  max?: number;
  /** Of numbers and of cents the lowest. */
  min?: number;
  initial?: string;
  placeholder?: string;
  choices?: readonly { value: string; label: string }[];
  /** Agreed when the card is opened: what is submitted in its place keeps it. */
  agreed?: true;
  testId?: string;
}

/** What was typed, by field; a ticked box is `on`. */
export type Typed = Readonly<Record<string, string>>;

export function initialOf(fields: readonly CardField[]): Typed {
  return Object.fromEntries(fields.map(({ name, initial }) => [name, initial ?? '']));
}

/** 12, 12.5 and 12,50 in cents; null for anything else. Computed on the digits: 0.29 * 100 is not 29. */
export function centsOf(text: string): number | null {
  const match = /^(\d{1,9})(?:[.,](\d{1,2}))?$/.exec(text.trim());
  return match === null ? null : Number(match[1]) * 100 + Number((match[2] ?? '').padEnd(2, '0'));
}

function within(value: number | null, { min, max }: CardField): number | null {
  return value === null || value < (min ?? 0) || value > (max ?? Number.MAX_SAFE_INTEGER) ? null : value;
}

/** The value of what was typed into a field; null if it is none. */
function valueOf(field: CardField, text: string): unknown {
  switch (field.input) {
    case 'money':
      return within(centsOf(text), field);
    case 'number':
      return within(/^\d{1,9}$/.test(text) ? Number(text) : null, field);
    case 'time': {
      const at = Date.parse(text);
      return Number.isNaN(at) ? null : new Date(at).toISOString();
    }
    case 'choice':
      return field.choices?.some(({ value }) => value === text) ? text : null;
    case 'check':
      return text === 'on';
    case 'text':
    case 'long':
      return text;
  }
}

/** The fields to ask for. `before`: the payload whose place the new one takes. */
export function askedFor(fields: readonly CardField[], before?: Fields): CardField[] {
  return fields.filter((field) => before === undefined || field.agreed !== true);
}

/** The payload of what was typed; null while something is missing or is not what it should be. */
export function payloadOf(fields: readonly CardField[], typed: Typed, before?: Fields): Fields | null {
  const payload: Fields = {};
  for (const field of fields) {
    const kept = before !== undefined && field.agreed === true;
    if (kept) {
      const agreed = before[field.name];
      if (agreed !== undefined && agreed !== null) payload[field.name] = agreed;
      continue;
    }
    const text = (typed[field.name] ?? '').trim();
    if (text === '' && field.input !== 'check') {
      if (field.required) return null;
      continue;
    }
    const value = valueOf(field, text);
    if (value === null) return null;
    payload[field.name] = value;
  }
  return payload;
}
