import { Visitors } from '@parley/shared';

/** Kept apart from the web client's: whoever moderates may chat as somebody else in the same browser. */
export const visitors = new Visitors(window, 'parley.console.tokens');
