/** Rows as aligned columns under their headings, for a terminal. Control characters of values are replaced. */
export function printTable(
  headings: readonly string[],
  rows: readonly (readonly (string | null)[])[],
): void {
  const cells = [headings, ...rows].map((row) => row.map((cell) => printable(cell ?? "–")));
  const widths = headings.map((_, at) => Math.max(...cells.map((row) => row[at]?.length ?? 0)));
  for (const row of cells) {
    console.log(
      row
        .map((cell, at) => cell.padEnd(widths[at] ?? 0))
        .join("  ")
        .trimEnd(),
    );
  }
}

/** A text that somebody chose must not send commands to the terminal. */
export const printable = (text: string) => text.replace(/\p{Cc}/gu, "\uFFFD");
