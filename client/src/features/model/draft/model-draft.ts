import { z } from "zod";
import { idOfTable, type Model } from "../../../../../shared/model/model.ts";
import { modelSchema } from "../../../../../shared/model/model-schema.ts";
import type { ModelDocument } from "../../../../../shared/protocol/model.ts";
import type { DocumentKind, SharedDocument } from "../../../sync/documents/shared-document.ts";
import { withIds } from "../document/edit-model.ts";
import { isSameModel, modelToTree, treeToModel } from "../document/model-tree.ts";
import { isNew } from "../document/new-names.ts";

/** The model as one user edits it. */
export type ModelDraft = SharedDocument<Model, ModelDocument>;

/**
 * A published version is set aside until the user has seen it: the model is published as a whole, and what somebody else
 * did to one table may mean something for another one.
 */
export const modelKind: DocumentKind<Model, ModelDocument> = {
  read: ({ document }) => withIds(document),
  toTree: modelToTree,
  fromTree: (tree, { version }) => treeToModel(tree, version),
  isSame: isSameModel,
  isSaved: (draft, stored) => isSameModel(byName(draft), byName(stored)),
  isKnown: (stored, base) => stored.version <= base.version,
  isAhead: (base, stored) => base.version > stored.version,
  joins: false,
  pack: (base, draft) => ({ base, draft: { ...draft, tables: withoutTablesOf(base, draft) } }),
  unpack(packed) {
    const { data } = storedSchema.safeParse(packed);
    if (!data) return null;
    const base = data.base as Model;
    const tables = data.draft.tables.map((table) =>
      typeof table === "number" ? base.tables[table] : table,
    );
    if (tables.includes(undefined)) return null;
    return { base, draft: { ...data.draft, tables } as unknown as Model };
  },
};

/** The tables of a draft as they are stored: of one that is not changed, its place in the base, which is stored as well. */
function withoutTablesOf(base: Model, { tables }: Model) {
  return tables.map((table) => {
    const place = base.tables.indexOf(table);
    return place < 0 ? table : place;
  });
}

/** Checks only the outer structure, because labels may be empty while the user types. */
const storedSchema = z.object({
  base: modelSchema,
  draft: z.object({
    version: z.int(),
    tables: z.array(z.union([z.int(), z.looseObject({ name: z.string() })])),
  }),
});

/** Compares models without ids, so that a saved draft equals the version that the server made of it. */
function byName(model: Model): Model {
  const tables = model.tables.map((table) => ({
    ...table,
    id: isNew(table.id) ? table.name : idOfTable(table),
    fields: table.fields.map((field) => ({
      ...field,
      id: isNew(field.id) ? field.name : (field.id ?? field.name),
    })),
  }));
  return { ...model, tables };
}
