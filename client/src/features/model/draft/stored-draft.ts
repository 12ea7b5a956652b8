import { z } from "zod";
import { modelSchema } from "../../../../../shared/model/model-schema.ts";
import { readFromTab, storeInTab } from "../../../sync/tab-storage.ts";
import type { StoredDraft } from "./model-draft.ts";

/** Labels may be empty while somebody types: only the outer form is asked for. */
const storedSchema = z.object({
  base: modelSchema,
  draft: z.object({ version: z.int(), tables: z.array(z.looseObject({ name: z.string() })) }),
});

const keyOf = (user: string) => `model:${user}`;

/** Keeps a person's unsaved changes for this tab; null forgets them. */
export function storeDraft(user: string, stored: StoredDraft | null): void {
  storeInTab(keyOf(user), stored);
}

/** The unsaved changes that a person had in this tab, where there are any that can be read. */
export function readStoredDraft(user: string): StoredDraft | null {
  const read = storedSchema.safeParse(readFromTab(keyOf(user)));
  return read.success ? (read.data as unknown as StoredDraft) : null;
}
