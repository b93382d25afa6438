// @ts-nocheck: this test uses Node's types; the rest of the folder is typed for browsers. Tests the package as
// published: packed, installed into a separate folder, and used by every kind of program.
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { execFile } from 'node:child_process';
import fs from 'node:fs';
import { createRequire } from 'node:module';
import os from 'node:os';
import path from 'node:path';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';

const sdk = fileURLToPath(new URL('..', import.meta.url));
const modules = createRequire(import.meta.url);
const tsc = modules.resolve('typescript/bin/tsc');
const kPatienceMs = 600_000; // the test runs compilers, also on slow machines

const kUse = `import { ParleyClient, ParleyError, type ClientOptions, type Message } from '@parley/sdk';
export function open(options: ClientOptions): ParleyClient { return new ParleyClient(options); }
export const bodyOf = (message: Message): string => message.body;
export const code: string = new ParleyError('A', 'b', 'c').code;
// @ts-expect-error: the types are there, and not any
export const wrong: number = new ParleyError('A', 'b', 'c').code;
`;

let folder: string;
const exec = promisify(execFile);
const run = async (program: string, args: string[], cwd = folder): Promise<string> => {
  try {
    return (await exec(program, args, { cwd })).stdout;
  } catch (error) {
    const { stdout, stderr } = error as { stdout: string; stderr: string };
    throw new Error(`${program} ${args.join(' ')}\n${stdout}\n${stderr}`);
  }
};

beforeAll(async () => {
  folder = fs.mkdtempSync(path.join(os.tmpdir(), 'parley-pack-'));
  await run('npm', ['run', 'build', '--silent'], sdk);
  const [{ filename }] = JSON.parse(await run('npm', ['pack', '--json', '--pack-destination', folder], sdk)) as [{ filename: string }];
  const home = path.join(folder, 'node_modules/@parley/sdk');
  fs.mkdirSync(home, { recursive: true });
  await run('tar', ['-xzf', path.join(folder, filename), '-C', home, '--strip-components=1']);
  const msgpack = path.join(folder, 'node_modules/@msgpack/msgpack');
  fs.mkdirSync(path.dirname(msgpack));
  fs.symlinkSync(path.resolve(path.dirname(modules.resolve('@msgpack/msgpack')), '..'), msgpack);
}, kPatienceMs);

afterAll(() => fs.rmSync(folder, { recursive: true, force: true }));

const kProgram = `const { send } = new ParleyClient({ url: 'ws://127.0.0.1:1/v1/ws', userId: 'usr_a', getToken: () => Promise.reject(new Error('none')) });
console.log(typeof send);`;

describe('the package', () => {
  it('can be required by CommonJS programs', async () => {
    fs.writeFileSync(path.join(folder, 'old.cjs'), `const { ParleyClient } = require('@parley/sdk');\n${kProgram}`);
    expect(await run(process.execPath, ['old.cjs'])).toBe('function\n');
  }, kPatienceMs);

  it('can be imported by modules', async () => {
    fs.writeFileSync(path.join(folder, 'new.mjs'), `import { ParleyClient } from '@parley/sdk';\n${kProgram}`);
    expect(await run(process.execPath, ['new.mjs'])).toBe('function\n');
  }, kPatienceMs);

  it.each([
    ['node10', 'commonjs', 'use.ts'],
    ['node16', 'node16', 'use.cts'],
    ['node16', 'node16', 'use.mts'],
    ['bundler', 'esnext', 'use.ts'],
  ])('has types for moduleResolution %s with module %s (%s)', async (resolution, module, file) => {
    fs.writeFileSync(path.join(folder, file), kUse);
    await run(process.execPath, [tsc, '--noEmit', '--strict', '--target', 'es2022', '--lib', 'es2022,dom', '--moduleResolution', resolution, '--module', module, file]);
  }, kPatienceMs);
});
