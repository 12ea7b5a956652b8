import { EraseError } from "../../store/erase/erase-error.ts";
import { eraseUser } from "../../store/erase/erase-user.ts";
import { eraseValues } from "../../store/erase/erase-values.ts";
import type { Erasure } from "../../store/erase/scrub-stored.ts";
import { PART_MIN_LENGTH } from "../../store/erase/scrubber.ts";
import { holdModel } from "../../store/models.ts";
import { withStore } from "../backup/open-store.ts";
import { defineCommand, type Parsed } from "../command.ts";
import { UsageError } from "../server-call.ts";

/** `watchfloor erase`: removes personal data for good. */

const usage = `watchfloor erase --user <email>                                    erases who a user is
watchfloor erase --table <name> --record <id> --fields <a,b,…>     erases values of a record, now and in its history

  --dry-run     only counts what would be erased

It works on the database of this environment (DATABASE_URL, or the one in DATA_DIR), also while servers run. It
can't be undone, and does not reach backups: docs/guides/erasure.md.`;

const options = {
  user: { type: "string" },
  table: { type: "string" },
  record: { type: "string" },
  fields: { type: "string" },
  "dry-run": { type: "boolean" },
} as const;

/** Ends the transaction of a dry run. */
class DryRun extends Error {}

async function run({ values }: Parsed<typeof options>): Promise<number> {
  const { user, table, record, fields, "dry-run": isDry = false } = values;
  const isOfRecord = table !== undefined && record !== undefined && fields !== undefined;
  if ((user === undefined) !== isOfRecord) {
    throw new UsageError("Name --user, or all of --table, --record and --fields.");
  }
  const erasure = await withStore({ beside: true }, async ({ database }) => {
    let erased: Erasure = { counts: {}, hasShort: false };
    try {
      await database.kysely.transaction().execute(async (tx) => {
        if (user !== undefined) erased = await eraseUser(tx, user);
        else if (isOfRecord) {
          const names = fields.split(",").map((name) => name.trim());
          erased = await eraseValues(tx, await holdModel(tx), { table, record, fields: names });
        }
        if (isDry) throw new DryRun();
      });
    } catch (error) {
      if (error instanceof EraseError) throw new UsageError(error.message);
      if (!(error instanceof DryRun)) throw error;
    }
    return erased;
  });
  if (!erasure) return 1;
  const parts = Object.entries(erasure.counts).filter(([, count]) => count > 0);
  const text = parts.map(([name, count]) => `${count} ${name}`).join(", ") || "nothing";
  console.log(isDry ? `Dry run, nothing was erased. To erase: ${text}.` : `Erased: ${text}.`);
  if (erasure.hasShort) {
    console.log(
      `Values of fewer than ${PART_MIN_LENGTH} characters are not searched within longer texts. Look for them in comments, reasons and titles.`,
    );
  }
  return 0;
}

export const command = defineCommand({ usage, options, run });
