import type { SpotlightActionGroupData } from "@mantine/spotlight";
import {
  IconDeviceDesktop,
  IconKeyboard,
  IconLogout,
  IconMoon,
  IconRowInsertBottom,
  IconStack2,
  IconSun,
} from "@tabler/icons-react";
import { findTable, type Model } from "../../../../shared/model/model.ts";
import type { Abilities } from "../../../../shared/policy/abilities.ts";
import type { ViewInfo } from "../../../../shared/protocol/views.ts";
import { recordAddress, tableAddress } from "../../../../shared/record-address.ts";
import { shellMessages as messages } from "../../messages/en/shell.ts";
import { boardAddress, viewAddress } from "../../records/record-address.ts";
import { trailState } from "../../records/record-trail.ts";
import { setDensity } from "../../state/preferences.ts";
import { requestSignOut } from "../../sync/calls/account.ts";
import type { FoundRecord } from "../../sync/calls/search-records.ts";
import { isWithin } from "../../ui/address-router.tsx";
import { TableIcon } from "../../ui/table-icon.tsx";
import { administrationLinks, inbox, profile, readableTables, screens } from "./navigation.ts";
import { openShortcuts } from "./shortcuts-sheet.tsx";

interface Context {
  model: Model;
  abilities: Abilities;
  views: readonly ViewInfo[];
  navigate: (href: string) => void;
  setColorScheme: (scheme: "light" | "dark" | "auto") => void;
}

const icon = { size: 18, stroke: 1.6 } as const;

/** The actions of the palette that the user is allowed to use. */
export function paletteActions(context: Context): SpotlightActionGroupData[] {
  return [
    { group: messages.tables(), actions: tableActions(context) },
    { group: messages.views(), actions: viewActions(context) },
    { group: messages.screens(), actions: screenActions(context) },
    { group: messages.actions(), actions: preferenceActions(context) },
  ].filter((group) => group.actions.length > 0);
}

/** The group of records found by the server, which the palette must not filter again. */
export const recordsGroup = messages.records;

/** Opens a found record in the panel of its table. */
export function recordActions(
  records: readonly FoundRecord[],
  navigate: (href: string, options: { state: unknown }) => void,
): SpotlightActionGroupData[] {
  const state = trailState(records.map(({ table, id }) => ({ table: table.name, record: id })));
  if (records.length === 0) return [];
  const actions = records.map(({ table, id, title, detail }) => ({
    id: `record-${table.name}/${id}`,
    label: title,
    description: detail ? `${table.label}: ${detail}` : table.label,
    leftSection: <TableIcon table={table.name} />,
    onClick: () => navigate(`${recordAddress(table.name, id)}${viewSearch(table.name)}`, { state }),
  }));
  return [{ group: recordsGroup(), actions }];
}

/** The query of the open grid if it shows this table, so that opening a record keeps its view. */
function viewSearch(table: string): string {
  const { pathname, search } = location;
  const isGrid = isWithin(pathname, tableAddress(table));
  return isGrid && pathname !== boardAddress(table) ? search : "";
}

function tableActions({ model, abilities, navigate }: Context) {
  return readableTables(model, abilities).map((table) => ({
    id: `table-${table.name}`,
    label: table.label,
    keywords: messages.keywordsTable(),
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
        keywords: [messages.keywordsView(), of.label],
        leftSection: <IconStack2 {...icon} />,
        onClick: () => navigate(viewAddress(table, id)),
      },
    ];
  });
}

function screenActions({ abilities, navigate }: Context) {
  const administration = administrationLinks(abilities).map((link) => ({
    ...link,
    keywords: messages.keywordsAdministration,
  }));
  return [...screens, ...administration, inbox, profile].map(({ href, label, keywords, Icon }) => ({
    id: `screen-${href}`,
    label: label(),
    keywords: keywords(),
    leftSection: <Icon {...icon} />,
    onClick: () => navigate(href),
  }));
}

function preferenceActions({ setColorScheme }: Context) {
  return [
    action(messages.lightTheme(), IconSun, () => setColorScheme("light")),
    action(messages.darkTheme(), IconMoon, () => setColorScheme("dark")),
    action(messages.systemTheme(), IconDeviceDesktop, () => setColorScheme("auto")),
    action(messages.comfortableRows(), IconRowInsertBottom, () => setDensity("comfortable")),
    action(messages.compactRows(), IconRowInsertBottom, () => setDensity("compact")),
    action(messages.keyboardShortcuts(), IconKeyboard, openShortcuts),
    action(messages.signOut(), IconLogout, requestSignOut),
  ];
}

function action(label: string, Icon: typeof IconSun, onClick: () => void) {
  return { id: `action-${label}`, label, leftSection: <Icon {...icon} />, onClick };
}
