import type { Json } from "../../../shared/filter/filter.ts";
import type { Model } from "../../../shared/model/model.ts";
import type { WallboardDocument } from "../../../shared/model/wallboard/wallboard.ts";
import { builtInRoles } from "../../../shared/policy/role.ts";
import type { Subject } from "../../../shared/policy/scope.ts";
import type { Database } from "../../store/database.ts";
import { countWallboards, insertWallboard, publishDraft } from "../../store/tiles/wallboards.ts";
import { scopesToPublish } from "./wallboard-rights.ts";

/** The author of a template's wallboards in the log and in lists: none. */
const AUTHOR = "system:template";

/**
 * Creates the wallboards of a template, published as by an owner. Safe to repeat: if there is any wallboard already,
 * nothing is done. Their days begin where those of the installation do.
 */
export async function installWallboards(
  database: Database,
  model: Model,
  wallboards: readonly { id: string; document: Omit<WallboardDocument, "zone"> }[],
): Promise<void> {
  const role = builtInRoles.find(({ id }) => id === "owner");
  if (!role) throw new Error("There is no role of owners.");
  const owner: Subject = { id: AUTHOR, role, attributes: {} };
  await database.kysely.transaction().execute(async (tx) => {
    if ((await countWallboards(tx)) > 0) return;
    for (const { id, document: zoneless } of wallboards) {
      const document = { ...zoneless, zone: null };
      const scopes = scopesToPublish(document, model, owner);
      await insertWallboard(tx, { id, draft: document as unknown as Json, by: AUTHOR });
      await publishDraft(tx, { id, scopes: scopes as unknown as Json, by: AUTHOR });
    }
  });
}
