import type { KeyboardEvent } from "react";

/** Arrow keys go from card to card: up and down within a column, left and right to its neighbours. */
export function moveFocus(event: KeyboardEvent<HTMLElement>): void {
  const card = event.target instanceof HTMLElement && event.target.closest("[data-card]");
  if (!card || event.altKey || event.ctrlKey || event.metaKey) return;
  const columns = [...event.currentTarget.querySelectorAll("[data-column]")].map((column) => [
    ...column.querySelectorAll<HTMLElement>("[data-card]"),
  ]);
  const at = columns.findIndex((cards) => cards.includes(card as HTMLElement));
  const row = columns[at]?.indexOf(card as HTMLElement) ?? 0;
  const next = neighbour(columns, at, row, event.key);
  if (!next) return;
  event.preventDefault();
  next.querySelector<HTMLElement>("a")?.focus();
}

function neighbour(
  columns: readonly HTMLElement[][],
  at: number,
  row: number,
  key: string,
): HTMLElement | undefined {
  if (key === "ArrowDown") return columns[at]?.[row + 1];
  if (key === "ArrowUp") return columns[at]?.[row - 1];
  const step = key === "ArrowRight" ? 1 : key === "ArrowLeft" ? -1 : 0;
  if (step === 0) return undefined;
  for (let to = at + step; to >= 0 && to < columns.length; to += step) {
    const cards = columns[to] ?? [];
    if (cards.length > 0) return cards[Math.min(row, cards.length - 1)];
  }
  return undefined;
}
