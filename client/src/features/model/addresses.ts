/** Where the parts of the model screen stand. */
export const MODEL = "/admin/model";
export const VERSIONS = `${MODEL}/versions`;

export const tabs = ["fields", "workflow", "rules", "table"] as const;
export type Tab = (typeof tabs)[number];

/** The address of a table of the draft, by its id; the first tab unless told. */
export function addressOfTable(id: string, tab: Tab = "fields"): string {
  const place = `${MODEL}/t/${encodeURIComponent(id)}`;
  return tab === "fields" ? place : `${place}/${tab}`;
}
