// What the server prints of its protocol, which lies outside of what Vite serves.
import { readFileSync } from 'node:fs';

export const asyncapi = JSON.parse(readFileSync(new URL('../../../docs/asyncapi.json', import.meta.url), 'utf8'));
