import type { Page } from "playwright";
import { pseudoText } from "../../../client/src/messages/start-language.ts";

export { pseudoText };

/** Switches the visitor's pages to the pseudo-language (client/src/messages/start-language.ts). Call it before the first page opens. */
export async function usePseudoLanguage(page: Page): Promise<void> {
  await page.context().addInitScript(() => localStorage.setItem("watchfloor.language", "pseudo"));
}

/** Formatted times, initials, addresses, and texts of Mantine. */
export const sharedTexts: readonly (string | RegExp)[] = [
  /\S+@example.com/,
  /\b[A-Z]{2}\b/,
  /\d+ \w{3,4} \d{4}/,
  /\b(now|yesterday|\d+ (second|minute|hour|day)s? ago)\b/,
  "Toggle password visibility",
];

/** The texts of the customer's model, which are never translated, and usual data of tests. */
export async function modelTexts(page: Page, url: string): Promise<(string | RegExp)[]> {
  const answer = await page.request.get(`${url}/api/v1/model`);
  const texts = new Set<string>();
  const collect = (node: unknown): void => {
    if (typeof node === "string") texts.add(node).add(node.toLowerCase());
    else if (typeof node === "object" && node !== null) Object.values(node).forEach(collect);
  };
  collect(await answer.json());
  return [...texts].filter((text) => text.length > 1).sort((a, b) => b.length - a.length);
}

/** The screen without the application's frame around it. */
export const SCREEN = "main, [role=dialog], [role=menu]";

/** A page that is still being drawn has problems for a moment: those count that the last of so many reads finds. */
const READS_MAX = 20;
const READ_EVERY_MS = 50;

/**
 * What a translator could not reach: visible texts in plain letters, unless `data` contains them. And elements whose text is
 * truncated. `within` selects the parts of the page to check.
 */
export async function languageProblems(
  page: Page,
  data: readonly (string | RegExp)[],
  within = "body",
): Promise<string[]> {
  for (let reads = 1; ; reads += 1) {
    const problems = await readProblems(page, data, within);
    if (problems.length === 0 || reads === READS_MAX) return problems;
    await page.waitForTimeout(READ_EVERY_MS);
  }
}

function readProblems(
  page: Page,
  data: readonly (string | RegExp)[],
  within: string,
): Promise<string[]> {
  const patterns = data.map((one) => (typeof one === "string" ? escapePattern(one) : one.source));
  return page.evaluate(
    ([known, parts]) => {
      const problems: string[] = [];
      const dataPattern = new RegExp(known || "(?!)", "g");
      const check = (text: string | null, what: string) => {
        const rest = (text ?? "").replace(dataPattern, "");
        if (/[A-Za-z]{2}/.test(rest)) problems.push(`${what}: ${text?.trim()}`);
      };
      const elements = [...document.querySelectorAll(parts)].flatMap((part) => [
        ...part.querySelectorAll<HTMLElement>("*"),
      ]);
      for (const element of elements) {
        if (!element.checkVisibility({ visibilityProperty: true })) continue;
        // A small picture of a wallboard, whose tiles are tested by themselves.
        if (element.closest("[inert]")) continue;
        for (const node of element.childNodes) {
          if (node.nodeType === Node.TEXT_NODE) check(node.textContent, "text");
        }
        for (const name of ["aria-label", "title", "placeholder", "alt"]) {
          check(element.getAttribute(name), name);
        }
        const isCut = element.scrollWidth > element.clientWidth + 1 && element.clientWidth > 1;
        const hides = ["hidden", "clip"].includes(getComputedStyle(element).overflowX);
        const isHidden = element.closest(".wf-visually-hidden") !== null;
        if (isCut && hides && !isHidden && element.textContent?.includes("⟦"))
          problems.push(`cut: ${element.textContent}`);
      }
      if (document.documentElement.scrollWidth > innerWidth) problems.push("the page is too wide");
      return problems;
    },
    [patterns.join("|"), within] as const,
  );
}

function escapePattern(text: string): string {
  return text.replace(/[.*+?^${}()|[\]\\]/g, "\\$&");
}

/** Dates, times and lists as `Intl` formats them, and record numbers. */
export const formattedTexts = [
  /now|yesterday|today|tomorrow|and|(Mon|Tues|Wednes|Thurs|Fri|Satur|Sun)day/,
  /(in )?(\d+\s)?(second|minute|hour|day|month|year)s?( ago)?/,
  /(Jan|Feb|Mar|Apr|May|Jun|Jul|Aug|Sept?|Oct|Nov|Dec)[a-z]*/,
  /[A-Z]{3}\d{7}/,
];

/** All texts of the customer's model, views and records: data, which is never translated. */
export async function dataTexts(page: Page, { url }: { url: string }): Promise<string[]> {
  const read = async (path: string) => (await page.request.get(`${url}/api/v1/${path}`)).json();
  const model = (await read("model")) as { tables: { name: string }[] };
  const recordPaths = model.tables.map(({ name }) => `tables/${name}/records?limit=1000`);
  const texts = new Set(["Watchfloor"]);
  const collect = (value: unknown): void => {
    if (typeof value === "string") texts.add(value);
    else if (value !== null && typeof value === "object") Object.values(value).forEach(collect);
  };
  collect(model);
  for (const answer of await Promise.all(["session", "views", ...recordPaths].map(read))) {
    collect(answer);
  }
  const hasLetters = (text: string) => /\p{L}{2}/u.test(text);
  return [...texts].filter(hasLetters).sort((a, b) => b.length - a.length);
}
