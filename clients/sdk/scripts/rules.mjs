// Writes what the SDK has from the server's description of its protocol: src/compact_rules.ts and src/wire_types.ts.
import { writeFileSync } from 'node:fs';
import { generated } from './generated.mjs';

for (const [file, source] of Object.entries(generated())) writeFileSync(new URL(`../src/${file}`, import.meta.url), source);
