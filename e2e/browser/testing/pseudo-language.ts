import type { Page } from "playwright";
import { pseudoText } from "../../../client/src/messages/pseudo.ts";

export { pseudoText };

/** Switches the visitor's pages to the pseudo-language (client/src/messages/pseudo.ts). Call it before the first page opens. */
export async function usePseudoLanguage(page: Page): Promise<void> {
  await page.context().addInitScript(() => localStorage.setItem("watchfloor.language", "pseudo"));
}

/** Texts of client/src/ui and of formatted times, which are not in the catalogue yet. */
export const sharedTexts: readonly (string | RegExp)[] = [
  /\S+@example.com/,
  /\b[A-Z]{2}\b/,
  /\d+ \w{3} \d{4}/,
  /\b(now|\d+ (second|minute)s? ago)\b/,
  "Actions",
  "Add a condition",
  "Add a group",
  "Clear all",
  "Compared with",
  "Condition",
  "Field",
  "Remove this condition",
  "Values",
  "empty",
  "Close",
  "Password",
  "Toggle password visibility",
  "At least 12 characters. A sentence works well.",
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

/**
 * What a translator could not reach, and what leaves no room: visible texts in plain letters, unless `data` holds them, and
 * elements whose text is cut. `within` selects the parts of the page to check.
 */
export async function languageProblems(
  page: Page,
  data: readonly (string | RegExp)[],
  within = "body",
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
        for (const node of element.childNodes) {
          if (node.nodeType === Node.TEXT_NODE) check(node.textContent, "text");
        }
        for (const name of ["aria-label", "title", "placeholder", "alt"]) {
          check(element.getAttribute(name), name);
        }
        const isCut = element.scrollWidth > element.clientWidth + 1 && element.clientWidth > 1;
        const hides = ["hidden", "clip"].includes(getComputedStyle(element).overflowX);
        const isHidden = element.closest(".wf-visually-hidden") !== null;
        if (isCut && hides && !isHidden && element.textContent?.trim())
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
