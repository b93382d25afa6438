import { Visitors } from '@parley/shared';

/** Created before rendering, so that a token leaves the address at once. */
export const visitors = new Visitors(window, 'parley.tokens');
