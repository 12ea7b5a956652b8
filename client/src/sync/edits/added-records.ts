import type { WireChange } from "../../../../shared/protocol/feed.ts";
import { formatVersion, parseVersion } from "../../../../shared/protocol/position.ts";
import { type PendingOp, recordKey } from "./pending-op.ts";

/** The newest of them survive a reload. */
const STORED_MAX = 1_000;

/** The version of a record that the page has, if any; null where it does not follow the table. */
type Known = string | null | undefined;

interface Added {
  /** The version with which it was created, or brought back where that is not known: an earlier one is of another record. */
  from: string;
  version: string;
  /** Somebody else may have changed it: the version is the last one before that. */
  isShared: boolean;
}

/**
 * The records that the user has added or brought back, each with the version up to which nobody else has changed it. Undoing
 * the addition deletes that version only, so that the work of others is left alone.
 */
export class AddedRecords {
  readonly #records: Map<string, Added>;
  /** Those from before a reload: others may have changed them meanwhile. */
  readonly #restored: Set<string>;

  /** Continues with what was `stored` before a reload. */
  constructor(stored: unknown) {
    this.#records = new Map(Array.isArray(stored) ? stored.filter(isEntry) : []);
    this.#restored = new Set(this.#records.keys());
  }

  get stored(): readonly [string, Added][] {
    return [...this.#records].slice(-STORED_MAX);
  }

  /** Of the record that was added with the version `from`, or later. */
  versionOf(table: string, record: string, from?: string): string | undefined {
    const added = this.#records.get(recordKey(table, record));
    const isOther = added && from !== undefined && seqOf(from) < seqOf(added.from);
    return isOther ? undefined : added?.version;
  }

  /** An op of the user was applied, as this version of its record. */
  confirmed({ table, record, op }: PendingOp, version: string, known: Known): void {
    const key = recordKey(table, record);
    if (op.op !== "create" && op.op !== "restore") {
      this.#advance(key, version, known);
      // What is brought back of it holds the work of somebody else, who may even have created it anew.
      if (op.op === "delete" && this.#records.get(key)?.isShared) this.#records.delete(key);
      return;
    }
    const { from = version } = (op.op === "restore" && this.#records.get(key)) || {};
    this.#records.set(key, { from, version, isShared: false });
    this.#restored.delete(key);
  }

  /** Changes of a followed table. Answers may have overtaken them. `knownOf` returns the version of a record before them, if known. */
  changed(
    { table, changes, epoch }: { table: string; changes: readonly WireChange[]; epoch: string },
    me: string,
    knownOf: (record: string) => string | undefined,
  ): void {
    if (this.#records.size === 0) return;
    for (const { record, by, seq } of changes) {
      const key = recordKey(table, record);
      const isMine = by.kind === "user" && by.id === me;
      if (isMine) this.#advance(key, formatVersion(epoch, seq), knownOf(record));
      else this.#share(key, epoch, seq);
    }
  }

  /** Where the page may not have received a change in between, as while the table was not followed, somebody else may have made it. */
  #advance(key: string, version: string, known: Known): void {
    const added = this.#records.get(key);
    if (!added || added.isShared || seqOf(version) <= seqOf(added.version)) return;
    const isUnknown = known === null || (known === undefined && this.#restored.has(key));
    const seq = seqOf(known ?? version);
    const isBetween = seq > seqOf(added.version) && seq < seqOf(version);
    if (isUnknown || isBetween) added.isShared = true;
    else added.version = version;
  }

  #share(key: string, epoch: string, seq: number): void {
    const added = this.#records.get(key);
    if (!added || added.isShared) return;
    added.isShared = true;
    if (seqOf(added.version) >= seq) added.version = formatVersion(epoch, seq - 1);
  }
}

function isEntry(entry: unknown): entry is [string, Added] {
  if (!Array.isArray(entry) || typeof entry[0] !== "string") return false;
  const { from, version, isShared } = (entry[1] ?? {}) as Record<string, unknown>;
  return [from, version].every((one) => typeof one === "string") && typeof isShared === "boolean";
}

function seqOf(version: string): number {
  return parseVersion(version)?.seq ?? 0;
}
