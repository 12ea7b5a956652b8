import { z } from "zod";
import { englishOnly } from "../../shared/error-texts/explain.ts";
import { Listeners } from "../../shared/listeners.ts";
import { fieldTypeNames } from "../../shared/model/field-types.ts";
import type { Model } from "../../shared/model/model.ts";
import { unavailable } from "../../shared/protocol/errors.ts";
import type { Database } from "./database.ts";
import { readMisfits, TableMisfit } from "./model-fit.ts";
import { readModel } from "./models.ts";
import { oneAtATime } from "./shared-reads.ts";

/** The published model on this server: the function returns it, and listeners hear of its changes. */
export type CurrentModel = Awaited<ReturnType<typeof createCurrentModel>>;

/** The minimum that everything relies on. Another program may have written the row, or an older release. */
const storedSchema = z.looseObject({
  version: z.int(),
  tables: z.array(
    z.looseObject({
      name: z.string(),
      display: z.string(),
      columns: z.array(z.string()),
      sort: z.array(z.string()),
      fields: z.array(
        z.looseObject({
          name: z.string(),
          label: z.string(),
          type: z.enum(fieldTypeNames),
        }),
      ),
    }),
  ),
});

function requireModel(stored: Model): Model {
  const { error } = storedSchema.safeParse(stored);
  if (!error) return stored;
  const [issue] = error.issues;
  const message = `The newest model in the database is none: ${issue?.path.join(".")}: ${issue?.message}. Correct or remove the last row of watchfloor.model.`;
  // Edits wait until it is corrected, as for an unavailable store.
  throw unavailable({ rule: "model" }, englishOnly(message));
}

/** Reads the published model; empty before set-up. An invalid one is refused, and the previous one stays. */
export async function createCurrentModel(database: Database) {
  let model = requireModel(await readModel(database.kysely));
  const listeners = new Listeners<Model>();
  const read = async () => {
    const newest = await readModel(database.kysely);
    if (newest.version === model.version) return;
    model = requireModel(newest);
    listeners.emit(model);
  };

  const refresh = oneAtATime(read);
  return Object.assign((): Model => model, {
    /**
     * Reads the newest version: what was committed before the call is current after it. Listeners are called
     * only if it differs.
     */
    refresh,
    /**
     * Reads the newest version after a statement by the model has failed. Where that is the same, the model is not to blame: throws
     * `TableMisfit` if another program has changed a table.
     */
    async refreshAfterFailure(): Promise<void> {
      const { version } = model;
      await refresh();
      if (model.version !== version) return;
      const misfits = await readMisfits(database.kysely, model);
      if (misfits.length === 0) return;
      // A version that was published in between has altered the tables.
      await refresh();
      if (model.version === version) throw new TableMisfit(misfits);
    },
    onChange: listeners.add,
  });
}
