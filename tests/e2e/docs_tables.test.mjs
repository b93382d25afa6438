// Runs the examples of docs/tables.md unchanged, in order and in one shell: the aws command, boto3, JavaScript. Only the port is
// replaced. TABLES_ENDPOINT=dynoxide runs them against that server, on a table made for it.
import assert from 'node:assert/strict';
import {execFile, spawnSync} from 'node:child_process';
import fs from 'node:fs';
import path from 'node:path';
import {after, before, test} from 'node:test';
import {fileURLToPath} from 'node:url';
import {promisify} from 'node:util';
import {createInput, declaration} from './lib/tables/declarations.mjs';
import {startEndpoint} from './lib/tables/endpoints.mjs';
import {removeDir, tempDir} from './lib/temp.mjs';

const here = path.dirname(fileURLToPath(import.meta.url));
const page = path.resolve(here, '../../docs/tables.md');
const kLanguages = {sh: null, python: (file) => `python3 ${file}`, js: (file) => `node ${file}`};

/** The page's blocks, in order: [{language, text}] */
function examples() {
  const found = [...fs.readFileSync(page, 'utf8').matchAll(/^```(sh|python|js)\n([^]*?)^```/gm)].map(([, language, text]) => ({language, text}));
  assert.deepEqual([...new Set(found.map(({language}) => language))].sort(), Object.keys(kLanguages).sort());
  return found;
}

const lacking = [['aws', ['--version']], ['python3', ['-c', 'import boto3']], ['curl', ['--version']]]
  .filter(([program, args]) => spawnSync(program, args).status !== 0).map(([program, args]) => [program, ...args].join(' '));

let endpoint;
const scratch = tempDir('docs');

before(async () => {
  endpoint = await startEndpoint();
  if (endpoint.server) return;
  await endpoint.db.CreateTable(createInput('workspace-document', declaration('workspace-document')));
});
after(async () => {
  await endpoint?.check();
  await endpoint?.stop();
  removeDir(scratch);
});

/** One script of all blocks, so that exports of a block apply to those after it. */
function script() {
  const at = new URL(endpoint.url);
  // JavaScript finds its packages beside the tests.
  fs.symlinkSync(path.join(here, 'node_modules'), path.join(scratch, 'node_modules'));
  return examples().map(({language, text}, i) => {
    let local = text.replaceAll('localhost:8080', `localhost:${at.port}`).replaceAll(`http://localhost:${at.port}`, `http://127.0.0.1:${at.port}`);
    if (!endpoint.server) local = foreign(local);
    if (language === 'sh') return local;
    const file = path.join(scratch, `example${i}.${language === 'js' ? 'mjs' : 'py'}`);
    fs.writeFileSync(file, local);
    return kLanguages[language](file);
  }).join('\n');
}

/** Other servers have neither demo keys nor the path. */
function foreign(text) {
  return text.replaceAll('/v1/dynamodb', '').replace(/\$\(curl [^)]*\)/, `'{"accessKeyId":"test","secretAccessKey":"test"}'`);
}

test('the examples of the page about tables run unchanged, in three languages',
     {skip: lacking.length > 0 && `THIS MACHINE LACKS ${lacking.join(', ')}: apt-get install awscli python3-boto3 curl`}, async () => {
  const {stdout} = await promisify(execFile)('bash', ['-euo', 'pipefail', '-c', script()],
                                             {cwd: scratch, env: {...process.env, AWS_EC2_METADATA_DISABLED: 'true', AWS_PAGER: '', NO_COLOR: '1'}});
  const lines = stdout.trim().split('\n').map((line) => line.trim());
  assert.ok(lines.includes('Plan'), stdout);
  assert.ok(lines.some((line) => /300/.test(line)), stdout);
  assert.ok(lines.includes('25 and then 4'), stdout);
  assert.equal(lines.at(-1), 'archive');
});
