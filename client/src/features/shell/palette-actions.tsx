import type { SpotlightActionGroupData } from "@mantine/spotlight";
import {
  IconDeviceDesktop,
  IconDeviceTv,
  IconKeyboard,
  IconLayoutDashboard,
  IconLogout,
  IconMoon,
  IconRowInsertBottom,
  IconStack2,
  IconSun,
  IconUserCircle,
} from "@tabler/icons-react";
import { findTable, type Model } from "../../../../shared/model/model.ts";
import type { Abilities } from "../../../../shared/policy/abilities.ts";
import type { ViewInfo } from "../../../../shared/protocol/views.ts";
import { setDensity } from "../../state/preferences.ts";
import { requestSignOut } from "../../sync/calls/account.ts";
import type { FoundRecord } from "../../sync/calls/search-records.ts";
import { boardAddress, recordAddress, tableAddress, viewAddress } from "../../ui/record-address.ts";
import { TableIcon } from "../../ui/table-icon.tsx";
import { administrationLinks, readableTables } from "./navigation.ts";
import { openShortcuts } from "./shortcuts-sheet.tsx";

interface Context {
  model: Model;
  abilities: Abilities;
  views: readonly ViewInfo[];
  navigate: (href: string) => void;
  setColorScheme: (scheme: "light" | "dark" | "auto") => void;
}

const icon = { size: 18, stroke: 1.6 } as const;

/** What the palette offers: only what exists and what this person may do. */
export function paletteActions(context: Context): SpotlightActionGroupData[] {
  return [
    { group: "Tables", actions: tableActions(context) },
    { group: "Views", actions: viewActions(context) },
    { group: "Screens", actions: screenActions(context) },
    { group: "Actions", actions: preferenceActions(context) },
  ].filter((group) => group.actions.length > 0);
}

/** The group of what the server found: the palette must not filter it again. */
export const RECORDS_GROUP = "Records";

/** Records that were found, each leading to its table with its panel open. */
export function recordActions(
  records: readonly FoundRecord[],
  navigate: (href: string) => void,
): SpotlightActionGroupData[] {
  if (records.length === 0) return [];
  const actions = records.map(({ table, id, title, detail }) => ({
    id: `record-${table.name}/${id}`,
    label: title,
    description: detail ? `${table.label}: ${detail}` : table.label,
    leftSection: <TableIcon table={table.name} />,
    onClick: () => navigate(`${recordAddress(table.name, id)}${viewSearch(table.name)}`),
  }));
  return [{ group: RECORDS_GROUP, actions }];
}

/** The query of the grid that is open, if it shows this table: its view stays when a record is opened. */
function viewSearch(table: string): string {
  const { pathname, search } = location;
  const grid = tableAddress(table);
  const isGrid = pathname === grid || pathname.startsWith(`${grid}/`);
  return isGrid && pathname !== boardAddress(table) ? search : "";
}

function tableActions({ model, abilities, navigate }: Context) {
  return readableTables(model, abilities).map((table) => ({
    id: `table-${table.name}`,
    label: table.label,
    keywords: ["table", "open"],
    leftSection: <TableIcon table={table.name} />,
    onClick: () => navigate(tableAddress(table.name)),
  }));
}

function viewActions({ model, views, navigate }: Context) {
  return views.flatMap(({ id, name, table }) => {
    const of = findTable(model, table);
    if (!of) return [];
    return [
      {
        id: `view-${id}`,
        label: name,
        description: of.label,
        keywords: ["view", of.label],
        leftSection: <IconStack2 {...icon} />,
        onClick: () => navigate(viewAddress(table, id)),
      },
    ];
  });
}

function screenActions({ abilities, navigate }: Context) {
  const administration = administrationLinks(abilities).map(({ href, label, Icon }) => ({
    id: `screen-${href}`,
    label,
    keywords: ["administration"],
    leftSection: <Icon {...icon} />,
    onClick: () => navigate(href),
  }));
  return [
    {
      id: "screen-home",
      label: "Dashboard",
      keywords: ["home"],
      leftSection: <IconLayoutDashboard {...icon} />,
      onClick: () => navigate("/"),
    },
    {
      id: "screen-wallboards",
      label: "Wallboards",
      keywords: ["screens", "displays"],
      leftSection: <IconDeviceTv {...icon} />,
      onClick: () => navigate("/wallboards"),
    },
    ...administration,
    {
      id: "screen-me",
      label: "My profile",
      keywords: ["preferences", "theme", "density"],
      leftSection: <IconUserCircle {...icon} />,
      onClick: () => navigate("/me"),
    },
  ];
}

function preferenceActions({ setColorScheme }: Context) {
  return [
    action("Light theme", IconSun, () => setColorScheme("light")),
    action("Dark theme", IconMoon, () => setColorScheme("dark")),
    action("Theme of the system", IconDeviceDesktop, () => setColorScheme("auto")),
    action("Comfortable rows", IconRowInsertBottom, () => setDensity("comfortable")),
    action("Compact rows", IconRowInsertBottom, () => setDensity("compact")),
    action("Keyboard shortcuts", IconKeyboard, openShortcuts),
    action("Sign out", IconLogout, requestSignOut),
  ];
}

function action(label: string, Icon: typeof IconSun, onClick: () => void) {
  return { id: `action-${label}`, label, leftSection: <Icon {...icon} />, onClick };
}
