/** A place in a table's feed. `seq` is dense and in commit order; another epoch is another history. */
export interface Position {
  epoch: string;
  seq: number;
}

/** A record's version: the position at which it was known, as `"<epoch>.<seq>"`. */
export function formatVersion(epoch: string, seq: number): string {
  return `${epoch}.${seq}`;
}

/** The reverse of `formatVersion`; null for anything else. */
export function parseVersion(version: string): Position | null {
  const found = /^([A-Za-z0-9_-]{1,64})\.(\d{1,15})$/.exec(version);
  return found ? { epoch: found[1] as string, seq: Number(found[2]) } : null;
}
