const PREFIX = "watchfloor.import.";

/** What was last chosen for the columns of a file, as JSON, in this browser; null if nothing is stored. */
export function readImportMapping(table: string, header: readonly string[]): string | null {
  try {
    return localStorage.getItem(keyOf(table, header));
  } catch {
    return null;
  }
}

export function storeImportMapping(table: string, header: readonly string[], text: string): void {
  try {
    localStorage.setItem(keyOf(table, header), text);
  } catch {
    // Storage is blocked or full: the mapping is proposed by names again.
  }
}

function keyOf(table: string, header: readonly string[]): string {
  return `${PREFIX}${table}.${JSON.stringify(header)}`;
}
