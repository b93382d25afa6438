import type { Fields } from '@parley/sdk';

/** The content with one field as typed; an emptied field is left out, and so are empty lines of a list. */
export function withField(content: Fields, name: string, list: boolean, typed: string): Fields {
  const next = { ...content };
  const lines = typed.split('\n').map((line) => line.trim()).filter((line) => line !== '');
  const value = list ? lines : typed;
  if (value.length === 0) delete next[name];
  else next[name] = value;
  return next;
}
