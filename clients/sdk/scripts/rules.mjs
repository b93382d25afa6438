// Writes the SDK's sources that the server's description of its protocol defines: the compact form's rules and the types.
import { writeFileSync } from 'node:fs';
import { generated } from './generated.mjs';

for (const [file, source] of Object.entries(generated())) writeFileSync(new URL(`../src/${file}`, import.meta.url), source);
