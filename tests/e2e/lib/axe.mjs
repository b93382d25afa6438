// axe-core in a page: what would keep out whoever uses a keyboard, a screen reader or a high contrast.
import assert from 'node:assert/strict';
import fs from 'node:fs';
import {createRequire} from 'node:module';

const kSource = fs.readFileSync(createRequire(import.meta.url).resolve('axe-core/axe.min.js'), 'utf8');
const kRules = ['wcag2a', 'wcag2aa', 'wcag21a', 'wcag21aa', 'wcag22aa', 'best-practice'];

/** Everything on screen is within the width of the window: nobody has to scroll sideways. */
export async function fits(page, what) {
  const [wide, window] = await page.evaluate(() => [document.documentElement.scrollWidth, document.documentElement.clientWidth]);
  assert.ok(wide <= window, `${what} is ${wide} px wide in a window of ${window}`);
}

/** What is on screen breaks none of axe's rules; `what` names it in the failure. `selector` looks at a part of the page. */
export async function isAccessible(page, what, selector) {
  await page.evaluate(kSource); // not a script element, which the page's own policy forbids
  const {violations, passes} = await page.evaluate(
    ([within, rules]) => window.axe.run(within ?? document, {runOnly: rules, resultTypes: ['violations']}), [selector, kRules]);
  const found = violations.map(({id, help, nodes}) => `${id}: ${help}\n${nodes.map(({html, failureSummary}) => `  ${html}\n  ${failureSummary}`).join('\n')}`);
  assert.deepEqual(found, [], `${what} breaks no rule`);
  assert.ok(passes.length > 0, `${what}: axe has looked at something`);
}
