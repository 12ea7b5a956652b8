import { branch, type DocumentNode, leaf } from "../../document/document-node.ts";
import type { Json } from "../../filter/filter.ts";
import type { ViewDocument } from "./view.ts";

/** A view, or the part of one that a change is about, as a document tree. Each property is replaced as a whole. */
export function viewToTree(view: Partial<ViewDocument>): DocumentNode {
  const { name, shared, filter, sort, columns, group } = view;
  const properties = Object.entries({ name, shared, filter, sort, columns, group });
  return branch(
    properties.map(([key, value]) => [key, value === undefined ? undefined : leaf(value as Json)]),
  );
}
