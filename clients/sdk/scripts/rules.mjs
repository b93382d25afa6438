// Writes the generated SDK sources: the rules of the compact form and the types.
import { writeFileSync } from 'node:fs';
import { generated } from './generated.mjs';

for (const [file, source] of Object.entries(generated())) writeFileSync(new URL(`../src/${file}`, import.meta.url), source);
