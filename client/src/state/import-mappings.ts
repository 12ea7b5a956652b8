const PREFIX = "watchfloor.import.";

/** The mapping that was last chosen in this browser for the columns of a file, as JSON; null if none is stored. */
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
