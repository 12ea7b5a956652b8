import { branch, type DocumentNode, leaf } from "../../document/document-node.ts";
import type { Json } from "../../filter/filter.ts";
import type { ViewDocument } from "./view.ts";

/** A view, or the changed part of one, as a document tree. Each property is replaced as a whole. */
export function viewToTree(view: Partial<ViewDocument>): DocumentNode {
  const { name, shared, filter, sort, columns, group, grouping, appearance } = view;
  const properties = Object.entries({
    name,
    shared,
    filter,
    sort,
    columns,
    group,
    grouping,
    appearance,
  });
  return branch(
    properties.map(([key, value]) => [key, value === undefined ? undefined : leaf(value as Json)]),
  );
}
