import type { Fields } from '@parley/sdk';

/** A form field for a part of a card's payload. */
export interface CardField {
  name: string;
  label: string;
  input: 'text' | 'long' | 'number' | 'money' | 'time' | 'choice' | 'check';
  required?: boolean;
  /** The maximum: characters of a text, or the value of a number. */
  max?: number;
  /** The minimum of a number or an amount. */
  min?: number;
  initial?: string;
  placeholder?: string;
  choices?: readonly { value: string; label: string }[];
  /** Agreed when the card is opened; later submissions keep the value. */
  agreed?: true;
  testId?: string;
}

/** The typed texts, by field; a ticked box is `on`. */
export type Typed = Readonly<Record<string, string>>;

export function initialOf(fields: readonly CardField[]): Typed {
  return Object.fromEntries(fields.map(({ name, initial }) => [name, initial ?? '']));
}

/** Converts 12, 12.5 or 12,50 to cents; returns null for anything else. Uses the digits, because 0.29 * 100 is not 29. */
export function centsOf(text: string): number | null {
  const match = /^(\d{1,9})(?:[.,](\d{1,2}))?$/.exec(text.trim());
  return match === null ? null : Number(match[1]) * 100 + Number((match[2] ?? '').padEnd(2, '0'));
}

function within(value: number | null, { min, max }: CardField): number | null {
  return value === null || value < (min ?? 0) || value > (max ?? Number.MAX_SAFE_INTEGER) ? null : value;
}

/** Converts the typed text of a field; returns null if it is invalid. */
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

/** The fields of a form. `before`: the payload that the new one replaces. */
export function askedFor(fields: readonly CardField[], before?: Fields): CardField[] {
  return fields.filter((field) => before === undefined || field.agreed !== true);
}

/** Converts typed texts to a payload; returns null if a field is missing or invalid. */
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
