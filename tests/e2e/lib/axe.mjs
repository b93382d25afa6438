// Runs axe-core in a page: finds barriers for users of a keyboard, a screen reader or high contrast.
import assert from 'node:assert/strict';
import fs from 'node:fs';
import {createRequire} from 'node:module';

const kSource = fs.readFileSync(createRequire(import.meta.url).resolve('axe-core/axe.min.js'), 'utf8');
const kRules = ['wcag2a', 'wcag2aa', 'wcag21a', 'wcag21aa', 'wcag22aa', 'best-practice'];

/** Checks that everything on screen fits into the width of the window. */
export async function fits(page, what) {
  const [wide, window] = await page.evaluate(() => [document.documentElement.scrollWidth, document.documentElement.clientWidth]);
  assert.ok(wide <= window, `${what} is ${wide} px wide in a window of ${window}`);
}

/** Checks the screen, or the part at `selector`, against axe's rules; `what` names it in the failure. */
export async function isAccessible(page, what, selector) {
  await page.evaluate(kSource); // not a script element, which the page's own policy forbids
  const {violations, passes} = await page.evaluate(
    ([within, rules]) => window.axe.run(within ?? document, {runOnly: rules, resultTypes: ['violations']}), [selector, kRules]);
  const found = violations.map(({id, help, nodes}) => `${id}: ${help}\n${nodes.map(({html, failureSummary}) => `  ${html}\n  ${failureSummary}`).join('\n')}`);
  assert.deepEqual(found, [], `${what} breaks no rule`);
  assert.ok(passes.length > 0, `${what}: axe has looked at something`);
}
