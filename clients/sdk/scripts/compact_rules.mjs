// Generates TypeScript for the rules of the compact form from the server's description of them.
import { asyncapi } from './document.mjs';

const { items, events, replies } = asyncapi.channels.session['x-compact'];

/** Formats a value like the hand-written sources: unquoted names if possible, one line for each member of a section. */
const literal = (value) =>
  JSON.stringify(value)
    .replace(/"([a-zA-Z][a-zA-Z0-9]*)":/g, ' $1: ')
    .replace(/"([^"]*)":/g, " '$1': ")
    .replace(/"([^"]*)"/g, "'$1'")
    .replace(/([^{[ ])}/g, '$1 }')
    .replace(/}}/g, '} }');
const section = (name, members) =>
  `  ${name}: {\n` + Object.entries(members).map(([key, value]) => `    '${key}': ${literal(value)},\n`).join('') + '  },\n';

/** Returns the generated source. */
export const compactRules = () =>
  `/** How to restore a field that may be left out. */
export interface CompactRule {
  readonly default?: unknown;
  /** In an event, a missing field has the same value as in the frame. */
  readonly frame?: boolean;
  /** The type of the item in the field, or of each item in its list. */
  readonly of?: string;
}

export interface CompactRules {
  readonly items: Readonly<Record<string, Readonly<Record<string, CompactRule>>>>;
  /** By event: the fields that contain an item, and its type. */
  readonly events: Readonly<Record<string, Readonly<Record<string, string>>>>;
  /** By op: the lists of items, and their type. */
  readonly replies: Readonly<Record<string, Readonly<Record<string, string>>>>;
}

export const kCompactRules: CompactRules = {
${section('items', items)}${section('events', events)}${section('replies', replies)}};
`;
