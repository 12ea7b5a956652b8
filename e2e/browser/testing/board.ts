import type { Locator, Page } from "playwright";

/** Wide enough for all eight states: the target of dragging must be visible. */
export const wide = { width: 2400, height: 900 };

/** A column by its value; the empty text for the column without one. */
export function column(page: Page, value: string): Locator {
  return page.locator(`[data-column="${value}"]`);
}

/** A card, in that column. */
export function cardIn(page: Page, value: string, record: string): Locator {
  return column(page, value).locator(`[data-card="${record}"]`);
}

export async function dragCard(page: Page, record: string, from: string, to: string) {
  const targetPosition = { x: 60, y: 20 };
  await cardIn(page, from, record).dragTo(column(page, to), { targetPosition });
}

/** The column of the card that has the focus; null if none has. */
export function focusedColumn(page: Page): Promise<string | null> {
  return page.evaluate(
    () => document.activeElement?.closest("[data-column]")?.getAttribute("data-column") ?? null,
  );
}
