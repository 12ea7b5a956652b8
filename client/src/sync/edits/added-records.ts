import type { WireChange } from "../../../../shared/protocol/changes.ts";
import { formatVersion, parseVersion } from "../../../../shared/protocol/position.ts";
import { type PendingOp, recordKey } from "./pending-op.ts";

interface Added {
  version: string;
  /** Somebody else has changed it: the version is the last one before that. */
  isShared: boolean;
}

/**
 * The records that the user has added, each with the version up to which nobody else has changed it. Undoing the addition
 * deletes that version only, so that the work of others is left alone.
 */
export class AddedRecords {
  readonly #records = new Map<string, Added>();

  versionOf(table: string, record: string): string | undefined {
    return this.#records.get(recordKey(table, record))?.version;
  }

  /** An op of the user was applied, as this version of its record. */
  confirmed({ table, record, op }: PendingOp, version: string): void {
    const key = recordKey(table, record);
    if (op.op === "create" || op.op === "restore") {
      this.#records.set(key, { version, isShared: false });
    } else if (op.op === "delete") this.#records.delete(key);
    else this.#advance(key, version);
  }

  /** Changes of a followed table. Answers may have overtaken them. */
  changed(
    table: string,
    { changes, epoch }: { changes: readonly WireChange[]; epoch: string },
    me: string,
  ): void {
    if (this.#records.size === 0) return;
    for (const { record, by, seq } of changes) {
      const key = recordKey(table, record);
      if (by.kind === "user" && by.id === me) this.#advance(key, formatVersion(epoch, seq));
      else this.#share(key, epoch, seq);
    }
  }

  #advance(key: string, version: string): void {
    const added = this.#records.get(key);
    if (added && !added.isShared && seqOf(version) > seqOf(added.version)) added.version = version;
  }

  #share(key: string, epoch: string, seq: number): void {
    const added = this.#records.get(key);
    if (!added || added.isShared) return;
    added.isShared = true;
    if (seqOf(added.version) >= seq) added.version = formatVersion(epoch, seq - 1);
  }
}

function seqOf(version: string): number {
  return parseVersion(version)?.seq ?? 0;
}
