import {
  type Icon,
  IconDeviceTvOld,
  IconHistory,
  IconSchema,
  IconShieldLock,
  IconUsers,
} from "@tabler/icons-react";
import type { Model, Table } from "../../../../shared/model/model.ts";
import type { Abilities } from "../../../../shared/policy/abilities.ts";
import type { AdministrativeRight } from "../../../../shared/policy/role.ts";

/** A place of the administration that exists, and the right that opens it. */
export interface AdministrationLink {
  href: string;
  label: string;
  right: AdministrativeRight;
  Icon: Icon;
}

const administration: AdministrationLink[] = [
  { href: "/admin/users", label: "Users", right: "users", Icon: IconUsers },
  { href: "/admin/roles", label: "Roles", right: "roles", Icon: IconShieldLock },
  { href: "/admin/displays", label: "Displays", right: "displays", Icon: IconDeviceTvOld },
  { href: "/admin/model", label: "Model", right: "model", Icon: IconSchema },
  { href: "/admin/security", label: "Security events", right: "activity", Icon: IconHistory },
];

/** The tables that a person may read, in the order of the model. */
export function readableTables(model: Model, abilities: Abilities): Table[] {
  return model.tables.filter((table) => abilities.tables[table.name]?.read);
}

/** The administration that a person's rights open. */
export function administrationLinks(abilities: Abilities): AdministrationLink[] {
  return administration.filter(({ right }) => abilities.rights.includes(right));
}
