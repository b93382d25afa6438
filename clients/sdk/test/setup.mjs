// Browsers and Node 19+ have `crypto` as a global; Node 18 has it only in a module.
import { webcrypto } from 'node:crypto';

globalThis.crypto ??= webcrypto;
