// Plain HTTP against the server, one connection per call.
import http from 'node:http';
import {OpError} from './errors.mjs';
import {within} from './deadline.mjs';

/** → {status, headers, text, json}; json is undefined if the body is not JSON. `body` may be a value, a string, a Buffer. */
export function call(server, method, path, {body, headers = {}} = {}) {
  const raw = body === undefined || typeof body === 'string' || Buffer.isBuffer(body);
  const payload = raw ? body : JSON.stringify(body);
  const all = {...headers};
  if (payload !== undefined) {
    all['content-type'] ??= 'application/json';
    all['content-length'] ??= Buffer.byteLength(payload);
  }
  const answered = new Promise((resolve, reject) => {
    const request = http.request(server.http + path, {method, headers: all, agent: false}, (response) => {
      const chunks = [];
      response.on('data', (chunk) => chunks.push(chunk));
      response.on('error', reject);
      response.on('end', () => {
        const text = Buffer.concat(chunks).toString('utf8');
        resolve({status: response.statusCode, headers: response.headers, text, json: parsed(text)});
      });
    });
    request.on('error', reject);
    request.end(payload);
  });
  return within(answered, `${method} ${path}`);
}

function parsed(text) {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}

/** A demo token for `userId`; the role `service` makes it work like a tenant key over HTTP. */
export async function demoToken(server, userId, {role, ttlSeconds, attrs} = {}) {
  const {status, json, text} = await call(server, 'POST', '/v1/demo/token', {body: {userId, role, ttlSeconds, attrs}});
  if (status !== 200 || typeof json?.token !== 'string') throw new Error(`no demo token: ${status} ${text}`);
  return json.token;
}

export function bearer(token, more = {}) {
  return {authorization: `Bearer ${token}`, ...more};
}

/** POST /v1/ops/{op}: the `ok` map, or an OpError that carries the HTTP status. */
export async function httpOp(server, token, op, args = {}, headers = {}) {
  const answer = await call(server, 'POST', `/v1/ops/${op}`, {body: args, headers: bearer(token, headers)});
  if (answer.status === 200) return answer.json;
  throw new OpError(answer.json?.error ?? {code: `HTTP ${answer.status}`, message: answer.text}, op, answer);
}

/** A caller with a tenant key; `as` names the user it acts for. */
export async function service(server) {
  const token = await demoToken(server, 'svc_backend', {role: 'service'});
  return {
    token,
    op: (op, args, headers) => httpOp(server, token, op, args, headers),
    as: (userId) => (op, args, headers = {}) => httpOp(server, token, op, args, {'parley-user': userId, ...headers}),
  };
}
