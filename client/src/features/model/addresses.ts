/** The addresses of the model screen's parts. */
export const MODEL = "/admin/model";
export const VERSIONS = `${MODEL}/versions`;

export const tabs = ["fields", "workflow", "rules", "table"] as const;
export type Tab = (typeof tabs)[number];

/** The address of a table of the draft, by its id; by default its first tab. */
export function addressOfTable(id: string, tab: Tab = "fields"): string {
  const place = `${MODEL}/t/${encodeURIComponent(id)}`;
  return tab === "fields" ? place : `${place}/${tab}`;
}
