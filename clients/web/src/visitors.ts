import { Visitors } from '@parley/shared';

/** Before anything is drawn: the address shows a token no longer than that. */
export const visitors = new Visitors(window, 'parley.tokens');
