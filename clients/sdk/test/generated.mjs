// The sources generated from the built protocol document, to compare with the committed ones; Vite does not serve
// either.
import { readFileSync } from 'node:fs';
import { asyncapi } from '../scripts/document.mjs';
import { generated } from '../scripts/generated.mjs';

export { asyncapi, generated };
export const sourceOf = (file) => readFileSync(new URL(`../src/${file}`, import.meta.url), 'utf8');
