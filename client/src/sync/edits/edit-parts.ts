import type { WireOp } from "../../../../shared/protocol/mutate.ts";
import type { Connection } from "../connection/connection.ts";
import type { CoreParts } from "../core-parts.ts";
import type { FollowedTables } from "../feed/followed-tables.ts";
import type { EditStore } from "./edit-store.ts";
import type { PendingOp } from "./pending-op.ts";
import type { RecordDrafts } from "./record-drafts.ts";
import type { UnsavedTexts } from "./unsaved-texts.ts";
import type { ScopedOp } from "./visibility.ts";

/** What the parts that handle the user's edits share. */
export interface EditParts extends CoreParts {
  tables: FollowedTables;
  connection: Connection;
  /** The edits in this browser. */
  editStore: EditStore;
  /** Numbers for the shell changed. */
  onCounts(): void;
}

/** What happens to ops, as the undo stack wants to know it. */
export interface EditJournal {
  submitted(batch: string, op: PendingOp): void;
  /** It was applied, as this version of its record. */
  confirmed(op: PendingOp, version: string): void;
  /** It had nothing to change: somebody else has made the change. */
  unchanged(op: PendingOp): void;
  /** The version of a record that the user has added up to which nobody else has changed it. */
  addedVersion(table: string, record: string): string | undefined;
  /** It will not be; what may go again by itself is taken anew. */
  refused(batch: string, op: PendingOp): void;
  /** Reduces each step to the part that `visiblePart` returns, null for nothing. */
  applyVisibility(visiblePart: (op: ScopedOp) => WireOp | null): void;
}

export interface EditTrackerDeps extends EditParts {
  drafts: RecordDrafts;
  journal: EditJournal;
  /** Where values go that are no longer part of an edit. */
  texts: Pick<UnsavedTexts, "addRemoved">;
}
