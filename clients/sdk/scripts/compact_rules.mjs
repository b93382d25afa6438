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
  `/** Of a field that may be left out. */
export interface CompactRule {
  readonly default?: unknown;
  /** In an event, what is missing is what the frame says. */
  readonly frame?: boolean;
  /** What its value is, or each in its list. */
  readonly of?: string;
}

export interface CompactRules {
  readonly items: Readonly<Record<string, Readonly<Record<string, CompactRule>>>>;
  /** By event: where an item is, and which. */
  readonly events: Readonly<Record<string, Readonly<Record<string, string>>>>;
  /** By op: which lists hold which items. */
  readonly replies: Readonly<Record<string, Readonly<Record<string, string>>>>;
}

export const kCompactRules: CompactRules = {
${section('items', items)}${section('events', events)}${section('replies', replies)}};
`;
