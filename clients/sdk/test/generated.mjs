// The sources as the protocol that the server prints makes them, and as they are; both lie outside of what Vite serves.
import { readFileSync } from 'node:fs';
import { asyncapi } from '../scripts/document.mjs';
import { generated } from '../scripts/generated.mjs';

export { asyncapi, generated };
export const sourceOf = (file) => readFileSync(new URL(`../src/${file}`, import.meta.url), 'utf8');
