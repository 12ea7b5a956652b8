/** The size of text that widths of columns and diagrams are measured for. */
export const BASE_FONT_PX = 16;

/** How much larger everything is drawn on very large screens, like text. Columns are drawn as much wider than they are stored. */
export function screenScale(): number {
  return Number.parseFloat(getComputedStyle(document.documentElement).fontSize) / BASE_FONT_PX;
}
