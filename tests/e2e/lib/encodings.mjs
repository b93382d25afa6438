// The two wire forms, through third-party libraries. A decoded frame is checked to be plain data.
import {decode, encode} from '@msgpack/msgpack';

export const kEncodings = {
  json: {
    name: 'json',
    protocol: 'parley.v1.json',
    binary: false,
    encode: (value) => JSON.stringify(value),
    decode: (data) => JSON.parse(data.toString('utf8')),
  },
  msgpack: {
    name: 'msgpack',
    protocol: 'parley.v1.msgpack',
    binary: true,
    encode: (value) => encode(value, {ignoreUndefined: true}),
    decode: (data) => decode(data),
  },
};

/** Throws unless `value` is made of null, booleans, safe integers, strings, arrays and maps only. */
export function checkPlain(value, where = 'frame') {
  if (value === null || typeof value === 'boolean' || typeof value === 'string') return;
  if (typeof value === 'number') {
    if (!Number.isSafeInteger(value)) throw new Error(`${where} is no safe integer: ${value}`);
  } else if (Array.isArray(value)) {
    value.forEach((item, i) => checkPlain(item, `${where}[${i}]`));
  } else if (typeof value === 'object' && Object.getPrototypeOf(value) === Object.prototype) {
    for (const [key, item] of Object.entries(value)) checkPlain(item, `${where}.${key}`);
  } else {
    throw new Error(`${where} is neither null, bool, integer, string, array nor map: ${value?.constructor?.name}`);
  }
}
