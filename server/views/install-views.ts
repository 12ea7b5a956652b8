import type { Json } from "../../shared/filter/filter.ts";
import type { ViewDocument } from "../../shared/model/view/view.ts";
import type { Database } from "../store/database.ts";
import { holdViews, insertView, listViews } from "../store/views/views.ts";

/** Creates the views of a template. Safe to repeat: if there is any view already, nothing is done. */
export async function installViews(
  { kysely }: Database,
  views: readonly (Omit<ViewDocument, "shared"> & { id: string; table: string })[],
): Promise<void> {
  await kysely.transaction().execute(async (tx) => {
    await holdViews(tx);
    if ((await listViews(tx, "")).length > 0) return;
    for (const { id, table, name, ...look } of views) {
      const nobody = { owner: null, updated_by: null };
      const stored = look as unknown as Json;
      await insertView(tx, { id, table_name: table, name, shared: true, look: stored, ...nobody });
    }
  });
}
