import type { Fields } from '@parley/sdk';

/** Returns the content with one field as typed, without an emptied field and without empty lines of a list. */
export function withField(content: Fields, name: string, list: boolean, typed: string): Fields {
  const next = { ...content };
  const lines = typed.split('\n').map((line) => line.trim()).filter((line) => line !== '');
  const value = list ? lines : typed;
  if (value.length === 0) delete next[name];
  else next[name] = value;
  return next;
}
