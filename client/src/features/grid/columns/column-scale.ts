/** The size of text in which widths of columns are stored. */
const STORED_FONT_PX = 16;

/** How much wider columns are drawn than they are stored: as much as text is larger, on very large screens. */
export function columnScale(): number {
  return Number.parseFloat(getComputedStyle(document.documentElement).fontSize) / STORED_FONT_PX;
}
