// Reads the AsyncAPI document that the build writes (`scripts/build`).
import { existsSync, readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';

const folder = process.env.PARLEY_DOCS ?? fileURLToPath(new URL('../../../build/release/docs', import.meta.url));
const file = `${folder}/asyncapi.json`;
if (!existsSync(file)) throw new Error(`there is no ${file}: run \`scripts/build documents\` first, or set PARLEY_DOCS`);

export const asyncapi = JSON.parse(readFileSync(file, 'utf8'));
