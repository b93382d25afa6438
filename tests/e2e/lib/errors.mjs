// Error replies: their exception, and the format of every error.
import assert from 'node:assert/strict';

export class OpError extends Error {
  constructor(error, op, http) {
    super(`${op}: ${error?.code} ${error?.message ?? ''} ${error?.fields ? JSON.stringify(error.fields) : ''}`);
    this.error = error;
    this.code = error?.code;
    this.http = http;
  }
}

const kStatus = {
  BAD_REQUEST: 400, UNKNOWN_OP: 400, UNAUTHENTICATED: 401, AUTH_EXPIRED: 401, FORBIDDEN: 403, THREAD_NOT_MEMBER: 404,
  NOT_FOUND: 404, ALREADY_EXISTS: 409, VERSION_CONFLICT: 409, IDEMPOTENCY_CONFLICT: 409, THREAD_LOCKED: 423,
  THREAD_ARCHIVED: 423, TOO_LARGE: 413, RATE_LIMITED: 429, ACTION_CONFLICT: 409, ACTION_INVALID_STATE: 422, CARD_INVALID: 422,
  CARD_EXPIRED: 422, UNAVAILABLE: 503, INTERNAL: 500,
};
// Texts that would reveal internals: paths, source files, exceptions, the store's own messages.
const kInternal = /\.(cc|cpp|h|hpp)\b|\/(home|tmp|var|build|usr)\/|std::|rocksdb|exception|nlohmann|msgpack::|0x[0-9a-f]{6}/i;

/** Every error has code, message, hint, corrId, and no inner detail. */
export function checkErrorShape(error) {
  assert.ok(error && typeof error === 'object', `an error is a map: ${JSON.stringify(error)}`);
  for (const field of ['code', 'message', 'hint', 'corrId']) {
    assert.equal(typeof error[field], 'string', `error.${field} is a string: ${JSON.stringify(error)}`);
    assert.notEqual(error[field], '', `error.${field} is not empty`);
  }
  assert.doesNotMatch(JSON.stringify({...error, current: null}), kInternal, 'an error tells nothing about the inside');
  if (error.fields !== undefined) assert.equal(typeof error.fields, 'object');
}

/** Awaits the refusal of `promise` with `code`; returns the error map. Over HTTP the status must match too. */
export async function refused(promise, code, note = '') {
  let answer;
  try {
    answer = await promise;
  } catch (thrown) {
    if (!(thrown instanceof OpError)) throw thrown;
    assert.equal(thrown.code, code, `${note} ${thrown.message}`);
    checkErrorShape(thrown.error);
    if (thrown.http) assert.equal(thrown.http.status, kStatus[code], `${code} has its HTTP status`);
    return thrown.error;
  }
  assert.fail(`${note} expected ${code}, got ok: ${JSON.stringify(answer)}`);
}
