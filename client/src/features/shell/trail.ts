import { findTable, type Model } from "../../../../shared/model/model.ts";
import { tableAddress } from "../../../../shared/record-address.ts";
import { shellMessages as messages } from "../../messages/en/shell.ts";
import { LABEL_WAITING } from "../../records/fields/label-waiting.ts";
import { decodePart } from "../../ui/address-router.tsx";
import { administration, inbox, profile, screens } from "./navigation.ts";

/** One step of the breadcrumb; without `href` it is no link. */
interface TrailStep {
  label: string;
  href?: string;
  /** Stays on a narrow screen as well, which otherwise shows the last step only. */
  isAlwaysShown?: true;
}

/** The steps that lead to an address; `title` is what its record, wallboard, change set or webhook is called. */
export function breadcrumbSteps(
  path: string,
  model: Model,
  title: string | null = null,
): TrailStep[] {
  const fixed = [...screens, inbox, profile].find(({ href }) => href === path);
  if (fixed) return [{ label: fixed.label() }];
  const screen = path.startsWith("/admin/roles/") ? "/admin/roles" : path;
  const administrative = administration.find(({ href }) => href === screen);
  if (administrative) {
    return [{ label: messages.administration() }, { label: administrative.label() }];
  }
  const [, root, name = "", record] = path.split("/");
  if (root === "wallboards" && record === undefined) {
    return [
      { label: messages.wallboards(), href: "/wallboards" },
      { label: title ?? messages.wallboard() },
    ];
  }
  if (root === "changes" && record === undefined) {
    return [
      { label: messages.changeSets(), href: "/changes" },
      { label: title ?? messages.changeSet() },
    ];
  }
  if (root === "admin" && name === "model") return modelTrail(record);
  if (root === "admin" && name === "webhooks") {
    return [
      { label: messages.webhooks(), href: "/admin/webhooks" },
      { label: title ?? messages.deliveries() },
    ];
  }
  const isOfTable = root === "t" || root === "import";
  const tableName = decodePart(name);
  const isReadable = tableName !== null && (record === undefined || decodePart(record) !== null);
  const table = isOfTable && isReadable ? findTable(model, tableName) : undefined;
  if (!table) return [{ label: messages.notFound() }];
  const trail: TrailStep[] = [
    { label: messages.tables() },
    { label: table.label, href: tableAddress(table.name) },
  ];
  if (root === "import") trail.push({ label: messages.import() });
  else if (record === "board" && path.split("/").length === 4) {
    const at = { label: table.label, href: tableAddress(table.name), isAlwaysShown: true } as const;
    return [{ label: messages.tables() }, at, { label: messages.board() }];
  } else if (record) trail.push({ label: title ?? LABEL_WAITING });
  return trail;
}

function modelTrail(part: string | undefined): TrailStep[] {
  const trail: TrailStep[] = [
    { label: messages.administration() },
    { label: messages.model(), href: "/admin/model" },
  ];
  return part === "versions" ? [...trail, { label: messages.versions() }] : trail;
}
