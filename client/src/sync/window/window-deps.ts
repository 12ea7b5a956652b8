import type { RecordView } from "../../state/record-view.ts";
import type { CoreParts } from "../core-parts.ts";
import type { PageReader } from "../records/page-reader.ts";
import type { RecordCache } from "../records/record-cache.ts";

/** What the windows of one table, and their parts, share with its follower. */
export interface WindowDeps extends CoreParts {
  table: string;
  cache: RecordCache;
  reader: PageReader;
  /** How far the table has been followed. */
  position(): number | undefined;
  view(id: string): RecordView | undefined;
  /** Whether the record is one that I am creating. */
  isMyCreate(id: string): boolean;
}
