import type { Page } from "playwright";

/** Switches the visitor's pages to the pseudo-language (client/src/messages/pseudo.ts). Call it before the first page opens. */
export async function usePseudoLanguage(page: Page): Promise<void> {
  await page.context().addInitScript(() => localStorage.setItem("watchfloor.language", "pseudo"));
}

/**
 * What a translator could not reach, and what leaves no room: visible texts in plain letters, unless `data` holds them, and
 * elements whose text is cut.
 */
export async function languageProblems(page: Page, data: readonly string[]): Promise<string[]> {
  return page.evaluate((known) => {
    const problems: string[] = [];
    const judge = (text: string | null, what: string) => {
      const rest = known.reduce((left, one) => left.replaceAll(one, ""), text ?? "");
      if (/[A-Za-z]{2}/.test(rest)) problems.push(`${what}: ${text?.trim()}`);
    };
    for (const element of document.body.querySelectorAll<HTMLElement>("*")) {
      if (!element.checkVisibility({ visibilityProperty: true })) continue;
      for (const node of element.childNodes) {
        if (node.nodeType === Node.TEXT_NODE) judge(node.textContent, "text");
      }
      for (const name of ["aria-label", "title", "placeholder", "alt"]) {
        judge(element.getAttribute(name), name);
      }
      const isCut = element.scrollWidth > element.clientWidth + 1 && element.clientWidth > 1;
      const hides = ["hidden", "clip"].includes(getComputedStyle(element).overflowX);
      if (isCut && hides) problems.push(`cut: ${element.textContent}`);
    }
    if (document.documentElement.scrollWidth > innerWidth) problems.push("the page is too wide");
    return problems;
  }, data);
}
