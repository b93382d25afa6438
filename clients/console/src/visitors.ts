import { Visitors } from '@parley/shared';

/** Separate from the web client's tokens: staff may chat as another user in the same browser. */
export const visitors = new Visitors(window, 'parley.console.tokens');
