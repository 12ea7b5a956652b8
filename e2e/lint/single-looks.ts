/**
 * What does not show a state of the page that may still come: helpers that wait themselves, answers of the API, and what a test put into
 * the page.
 */
const decided =
  /[pP]roblems|plainTexts|statusWith|boxAtRest|clipboard|asksBeforeLeaving|refusal|\.json\(|Promise\.all|stillTheSamePage|untouched/;

/** Expectations of an absence. They hold at a single look if something that comes later was waited for before. */
const absence = /^\.(?:not\b|toBe\((?:0|false|null|"")\)|toBeNull\(|toEqual\(\[\]\)|toBeLessThan)/;

/**
 * Where a browser test looks at the page once for what may come a moment later: `expect(await …)` instead of
 * `await expect.poll(() => …)`. On a busy machine such a test fails without a fault. A fixed pause is no better. Nor is a key on an item
 * of a menu that may not have the focus yet: `pressInMenu` waits for that.
 */
export function singleLooks(file: string, text: string): string[] {
  const looks = [...text.matchAll(/^ *expect\(await (.*)\)(\.[a-z]\w*\(.*)$/gim)].filter(
    ([, looked = "", expected = ""]) => !decided.test(looked) && !absence.test(expected),
  );
  const pauses = text.matchAll(/\bwaitForTimeout\(|await sleep\(/g);
  const keys = text.matchAll(/getByRole\("menuitem[^;]*\)\.(?:press|focus)\(/g);
  return [...looks, ...pauses, ...keys].map(([found]) => `${file}: ${found.trim()}`);
}
