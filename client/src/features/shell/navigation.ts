import {
  type Icon,
  IconActivity,
  IconApi,
  IconBell,
  IconDeviceTv,
  IconDeviceTvOld,
  IconFileDiff,
  IconHistory,
  IconLayoutDashboard,
  IconLogin2,
  IconSchema,
  IconServer,
  IconShieldLock,
  IconUserCircle,
  IconUsers,
  IconWebhook,
} from "@tabler/icons-react";
import type { Model, Table } from "../../../../shared/model/model.ts";
import type { Abilities } from "../../../../shared/policy/abilities.ts";
import type { AdministrativeRight } from "../../../../shared/policy/role.ts";
import { shellMessages as messages } from "../../messages/en/shell.ts";

export interface ScreenLink {
  href: string;
  label(): string;
  Icon: Icon;
}

/** A screen for every user, and what else the palette finds it by. */
interface CommonLink extends ScreenLink {
  keywords(): string;
}

/** The screens at the top of the sidebar, in its order. */
export const screens: readonly CommonLink[] = [
  {
    href: "/",
    label: messages.dashboard,
    keywords: messages.keywordsDashboard,
    Icon: IconLayoutDashboard,
  },
  {
    href: "/wallboards",
    label: messages.wallboards,
    keywords: messages.keywordsWallboards,
    Icon: IconDeviceTv,
  },
  {
    href: "/activity",
    label: messages.activity,
    keywords: messages.keywordsActivity,
    Icon: IconActivity,
  },
  {
    href: "/changes",
    label: messages.changeSets,
    keywords: messages.keywordsChangeSets,
    Icon: IconFileDiff,
  },
];

export const inbox: CommonLink = {
  href: "/inbox",
  label: messages.inbox,
  keywords: messages.keywordsInbox,
  Icon: IconBell,
};

export const profile: CommonLink = {
  href: "/me",
  label: messages.profile,
  keywords: messages.keywordsProfile,
  Icon: IconUserCircle,
};

/** A screen of the administration, and the right that it requires. */
interface AdministrationLink extends ScreenLink {
  right: AdministrativeRight;
  /** Only owners may do anything there. */
  forOwners?: true;
  keywords?(): string;
}

/** The screens of the administration, in the order of the sidebar. */
export const administration: readonly AdministrationLink[] = [
  { href: "/admin/users", label: messages.users, right: "users", Icon: IconUsers },
  {
    href: "/admin/sign-in",
    label: messages.signIn,
    right: "users",
    forOwners: true,
    keywords: messages.keywordsSignIn,
    Icon: IconLogin2,
  },
  { href: "/admin/roles", label: messages.roles, right: "roles", Icon: IconShieldLock },
  { href: "/admin/displays", label: messages.displays, right: "displays", Icon: IconDeviceTvOld },
  { href: "/admin/tokens", label: messages.tokens, right: "tokens", Icon: IconApi },
  { href: "/admin/webhooks", label: messages.webhooks, right: "webhooks", Icon: IconWebhook },
  { href: "/admin/model", label: messages.model, right: "model", Icon: IconSchema },
  { href: "/admin/security", label: messages.securityEvents, right: "activity", Icon: IconHistory },
  { href: "/admin/system", label: messages.system, right: "system", Icon: IconServer },
];

/** The tables that a user may read, in the order of the model. */
export function readableTables(model: Model, abilities: Abilities): Table[] {
  return model.tables.filter((table) => abilities.tables[table.name]?.read);
}

/** The screens of the administration that a user's role gives access to. */
export function administrationLinks(abilities: Abilities, role: string): AdministrationLink[] {
  return administration.filter(
    ({ right, forOwners }) => abilities.rights.includes(right) && (!forOwners || role === "owner"),
  );
}
