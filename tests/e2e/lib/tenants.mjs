// Tenants created like by an operator and a back end: with the store's operator key and the keys made with it. Works on servers
// without --demo.
import assert from 'node:assert/strict';
import fs from 'node:fs';
import path from 'node:path';
import {bearer, call, httpOp} from './http.mjs';
import {fresh} from './world.mjs';

/** A holder of a credential: calls with it, and calls that must succeed. */
export class Caller {
  constructor(server, label, credential, headers = {}) {
    Object.assign(this, {server, label, credential, headers});
  }

  call(method, target, body, headers = {}) {
    return call(this.server, method, target, {body, headers: bearer(this.credential, {...this.headers, ...headers})});
  }

  async ok(method, target, body, headers) {
    const answer = await this.call(method, target, body, headers);
    assert.ok(answer.status >= 200 && answer.status < 300, `${this.label}: ${method} ${target}: ${answer.status} ${answer.text}`);
    return answer.json;
  }

  op(op, args = {}) {
    return httpOp(this.server, this.credential, op, args, this.headers);
  }
}

export function operatorOf(server) {
  const key = fs.readFileSync(path.join(server.dir, 'operator.key'), 'utf8').trim();
  return new Caller(server, 'the operator', key);
}

/** An id that a tenant may have. */
export function tenantName(label = 'acme') {
  return fresh(label, 't').replaceAll('_', '-').toLowerCase();
}

/** Settings under which users need no record, without limits, requests and a text policy. */
export const kOpenTenant = {limits: {enabled: false}, messageRequests: {enabled: false}, safety: {textPolicy: 'off'}, knownUsersOnly: false, userProjects: true};

/** An active tenant without rate limits, message requests and a text policy. `key` is its back end's; settings are added to it. */
export class Tenant {
  static async of(server, label = 'acme', settings = {}) {
    const operator = operatorOf(server);
    const tenantId = tenantName(label);
    await operator.ok('POST', '/v1/tenants', {tenantId, name: label, settings: {...kOpenTenant, ...settings}});
    const {key, secret} = await operator.ok('POST', `/v1/tenants/${tenantId}/keys`, {name: 'back end'});
    await operator.ok('POST', `/v1/tenants/${tenantId}/activate`);
    return Object.assign(new Tenant(), {
      server, operator, tenantId, keyId: key.keyId, key: new Caller(server, `the key of ${label}`, secret),
    });
  }

  /** A user with a record and an access token; `userId`, `email`, `token`, `refreshToken` in addition to the members of a caller. */
  async user(label, record = {}) {
    const userId = fresh(label);
    const email = `${userId}@example.com`;
    await this.key.ok('POST', '/v1/users', {userId, email, displayName: label, ...record});
    const {token, refreshToken} = await this.key.ok('POST', '/v1/tokens', {userId});
    return Object.assign(new Caller(this.server, label, token), {userId, email, token, refreshToken});
  }

  /** The back end, acting for a user. */
  as(userId) {
    return new Caller(this.server, `the key for ${userId}`, this.key.credential, {'parley-user': userId});
  }
}
