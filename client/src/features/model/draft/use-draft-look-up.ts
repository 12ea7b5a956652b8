import { useMemo } from "react";
import type { Field, Model } from "../../../../../shared/model/model.ts";
import { idOfTable } from "../../../../../shared/model/model.ts";
import type { LookUp } from "../../../records/fields/look-up.ts";
import { pageLabels } from "../../../sync/page/page-labels.ts";
import { useDraft } from "./use-draft.tsx";

/**
 * Looks up targets of links in the draft. A table that is renamed in the draft is queried by its published name; an
 * unpublished one has no records.
 */
export function useDraftLookUp(): LookUp {
  const { base, draft } = useDraft();
  return useMemo(() => draftLookUp(base, draft), [base, draft]);
}

function draftLookUp(base: Model, draft: Model): LookUp {
  const labels = pageLabels();
  const publishedField = (field: Field): Field | null => {
    if (field.type !== "link") return field;
    const target = draft.tables.find(({ name }) => name === field.target);
    const published = target && base.tables.find((table) => idOfTable(table) === idOfTable(target));
    return published ? { ...field, target: published.name } : null;
  };
  return {
    get(field, id) {
      const known = publishedField(field);
      return known ? labels.get(known, id) : undefined;
    },
    labelOf(field, id) {
      const known = publishedField(field);
      return known ? labels.labelOf(known, id) : undefined;
    },
    search(field, text) {
      const known = publishedField(field);
      return known ? labels.search(known, text) : Promise.resolve([]);
    },
    named(field, text) {
      const known = publishedField(field);
      return known ? labels.named(known, text) : Promise.resolve([]);
    },
    onArrived: (callback) => labels.onArrived(callback),
  };
}
