import type { Locator, Page } from "playwright";

/** Wide enough for all eight states: what one drags to must be in sight. */
export const wide = { width: 2400, height: 900 };

/** A column by what it holds; the empty text for those that hold nothing. */
export function column(page: Page, value: string): Locator {
  return page.locator(`[data-column="${value}"]`);
}

/** A card, where it stands in that column. */
export function cardIn(page: Page, value: string, record: string): Locator {
  return column(page, value).locator(`[data-card="${record}"]`);
}

export async function dragCard(page: Page, record: string, from: string, to: string) {
  const targetPosition = { x: 60, y: 20 };
  await cardIn(page, from, record).dragTo(column(page, to), { targetPosition });
}

/** The column of the card that has the focus; null where none has. */
export function focusedColumn(page: Page): Promise<string | null> {
  return page.evaluate(
    () => document.activeElement?.closest("[data-column]")?.getAttribute("data-column") ?? null,
  );
}
