// Browsers and Node 19+ have it; Node 18 keeps it in a module.
import { webcrypto } from 'node:crypto';

globalThis.crypto ??= webcrypto;
