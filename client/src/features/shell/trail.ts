import { findTable, type Model } from "../../../../shared/model/model.ts";
import { recordAt, tableAddress } from "../../ui/record-address.ts";

/** One step of the breadcrumb; without `href` it is only a heading. */
export interface TrailStep {
  label: string;
  href?: string;
}

const fixedTrails: Record<string, TrailStep[]> = {
  "/": [{ label: "Dashboard" }],
  "/wallboards": [{ label: "Wallboards" }],
  "/me": [{ label: "My profile" }],
  "/admin/users": [{ label: "Administration" }, { label: "Users" }],
  "/admin/roles": [{ label: "Administration" }, { label: "Roles" }],
  "/admin/security": [{ label: "Administration" }, { label: "Security events" }],
  "/admin/displays": [{ label: "Administration" }, { label: "Displays" }],
};

/** The steps that lead to an address, in words of the model; `title` is what its record or board is called. */
export function trailOf(path: string, model: Model, title: string | null = null): TrailStep[] {
  const known = fixedTrails[path.startsWith("/admin/roles/") ? "/admin/roles" : path];
  if (known) return known;
  const [, root, name = "", record] = path.split("/");
  if (root === "wallboards" && record === undefined) {
    return [{ label: "Wallboards", href: "/wallboards" }, { label: title ?? "Wallboard" }];
  }
  if (root === "admin" && name === "model") return modelTrail(record);
  const table = root === "t" ? findTable(model, decode(name)) : undefined;
  if (!table) return [{ label: "Not found" }];
  const trail: TrailStep[] = [
    { label: "Tables" },
    { label: table.label, href: tableAddress(table.name) },
  ];
  if (record === "board" && path.split("/").length === 4) trail.push({ label: "Board" });
  else if (record) trail.push({ label: title ?? recordAt(decode(record)) });
  return trail;
}

function modelTrail(part: string | undefined): TrailStep[] {
  const trail: TrailStep[] = [
    { label: "Administration" },
    { label: "Model", href: "/admin/model" },
  ];
  return part === "versions" ? [...trail, { label: "Versions" }] : trail;
}

function decode(part: string): string {
  try {
    return decodeURIComponent(part);
  } catch {
    return part;
  }
}
