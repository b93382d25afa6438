// Permissions and invitations over HTTP under concurrent requests: the last owner stays, and an invitation is accepted once.
import assert from 'node:assert/strict';
import fs from 'node:fs';
import path from 'node:path';
import {after, before, it} from 'node:test';
import {bearer, call} from './lib/http.mjs';
import {Server} from './lib/server.mjs';
import {kOpenTenant} from './lib/tenants.mjs';
import {checkStore} from './lib/verify.mjs';
import {fresh} from './lib/world.mjs';

let server;
let key;

const asked = (credential, method, target, body) => call(server, method, target, {body, headers: bearer(credential)});
async function made(credential, method, target, body) {
  const answer = await asked(credential, method, target, body);
  assert.ok(answer.status < 300, `${method} ${target}: ${answer.status} ${answer.text}`);
  return answer.json;
}

before(async () => {
  server = await Server.start();
  const operator = fs.readFileSync(path.join(server.dir, 'operator.key'), 'utf8').trim();
  await made(operator, 'POST', '/v1/tenants', {tenantId: 'acme', name: 'Acme', settings: kOpenTenant});
  key = (await made(operator, 'POST', '/v1/tenants/acme/keys', {})).secret;
  await made(operator, 'POST', '/v1/tenants/acme/activate', {});
});
after(async () => {
  try {
    if (server?.running) await checkStore(server);
  } finally {
    await server?.dispose();
  }
});

const put = (resource, userId, level) => made(key, 'PUT', '/v1/permissions', {resource, userId, level});
const members = async (resource) => (await made(key, 'GET', `/v1/permissions?resource=${resource}`)).items;

it('HM-4 of owners who all leave or are lowered at once, one stays', async () => {
  for (let round = 0; round < 10; round += 1) {
    const resource = `projects/${fresh('p', 'prj')}`;
    const owners = Array.from({length: 6}, () => fresh('owner'));
    for (const owner of owners) await put(resource, owner, 'owner');
    const answers = await Promise.all(owners.map((userId, i) => (i % 2
      ? asked(key, 'DELETE', `/v1/permissions?resource=${resource}&userId=${userId}`)
      : asked(key, 'PUT', '/v1/permissions', {resource, userId, level: 'read'}))));
    assert.equal(answers.filter(({status}) => status === 403).length, 1, JSON.stringify(answers.map(({status}) => status)));
    assert.equal((await members(resource)).filter(({level}) => level === 'owner').length, 1);
  }
});

it('HM-18 an invitation that is accepted many times at once grants its level once', async () => {
  const userId = fresh('ann');
  const email = `${userId}@example.com`;
  await made(key, 'POST', '/v1/users', {userId, email});
  const {token: session} = await made(key, 'POST', '/v1/tokens', {userId});
  const {token, invite} = await made(key, 'POST', '/v1/invites', {email, level: 'owner', resource: 'projects/shared'});
  const answers = await Promise.all(Array.from({length: 8}, () => asked(session, 'POST', '/v1/invites/accept', {token})));
  assert.deepEqual(answers.map(({status}) => status).sort(), [200, ...Array(7).fill(404)]);
  assert.deepEqual((await members('projects/shared')).map(({level}) => level), ['owner']);
  const {items} = await made(key, 'GET', '/v1/invites');
  assert.deepEqual(items.map(({inviteId, state, acceptedBy}) => ({inviteId, state, acceptedBy})), [{inviteId: invite.inviteId, state: 'accepted', acceptedBy: userId}]);
});

it('HM-18 an address is invited once by many requests at once', async () => {
  const wish = {email: 'new@example.com', level: 'read', resource: 'projects/once'};
  const answers = await Promise.all(Array.from({length: 8}, () => asked(key, 'POST', '/v1/invites', wish)));
  assert.deepEqual(answers.map(({status}) => status).sort(), [201, ...Array(7).fill(409)]);
});
