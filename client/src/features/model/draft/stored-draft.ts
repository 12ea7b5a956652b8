import { z } from "zod";
import { modelSchema } from "../../../../../shared/model/model-schema.ts";
import { readFromTab, storeInTab } from "../../../sync/tab-storage.ts";
import type { StoredDraft } from "./model-draft.ts";

/** Checks only the outer structure, because labels may be empty while the user types. */
const storedSchema = z.object({
  base: modelSchema,
  draft: z.object({ version: z.int(), tables: z.array(z.looseObject({ name: z.string() })) }),
});

const keyOf = (user: string) => `model:${user}`;

/** Stores a user's unsaved changes for this tab; null removes them. */
export function storeDraft(user: string, stored: StoredDraft | null): void {
  storeInTab(keyOf(user), stored);
}

/** The user's stored unsaved changes in this tab, if there are readable ones. */
export function readStoredDraft(user: string): StoredDraft | null {
  const read = storedSchema.safeParse(readFromTab(keyOf(user)));
  return read.success ? (read.data as unknown as StoredDraft) : null;
}
