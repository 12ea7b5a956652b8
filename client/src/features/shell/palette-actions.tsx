import type { SpotlightActionGroupData } from "@mantine/spotlight";
import {
  IconColumnInsertRight,
  IconDeviceDesktop,
  IconDeviceTv,
  IconHistory,
  IconKeyboard,
  IconLogout,
  IconMoon,
  IconPlus,
  IconRowInsertBottom,
  IconStack2,
  IconSun,
  IconTablePlus,
  IconUserPlus,
} from "@tabler/icons-react";
import { findTable, type Model } from "../../../../shared/model/model.ts";
import type { Abilities } from "../../../../shared/policy/abilities.ts";
import type { ViewInfo } from "../../../../shared/protocol/views.ts";
import { tableAddress } from "../../../../shared/record-address.ts";
import { shellMessages as messages } from "../../messages/en/shell.ts";
import { recordAddressFrom, viewAddress } from "../../records/record-address.ts";
import { trailState } from "../../records/record-trail.ts";
import { openFieldSheet, openSheet, setArrival } from "../../state/open-sheet.ts";
import { setDensity } from "../../state/preferences.ts";
import { requestSignOut } from "../../sync/calls/account.ts";
import type { FoundRecord } from "../../sync/calls/search-records.ts";
import { isWithin } from "../../ui/address-router.tsx";
import { TableIcon } from "../../ui/table-icon.tsx";
import { administrationLinks, inbox, profile, readableTables, screens } from "./navigation.ts";
import { recentScreens } from "./recents.ts";
import { openShortcuts } from "./shortcuts-sheet.tsx";

interface Context {
  model: Model;
  abilities: Abilities;
  /** The id of the user's role. */
  role: string;
  views: readonly ViewInfo[];
  navigate: (href: string) => void;
  setColorScheme: (scheme: "light" | "dark" | "auto") => void;
  /** The address of the screen behind the palette. */
  path: string;
}

const icon = { size: 18, stroke: 1.6 } as const;

/** The actions of the palette that the user is allowed to use. */
export function paletteActions(context: Context): SpotlightActionGroupData[] {
  return [
    { group: messages.actions(), actions: taskActions(context) },
    { group: messages.tables(), actions: tableActions(context) },
    { group: messages.views(), actions: viewActions(context) },
    { group: messages.screens(), actions: screenActions(context) },
    { group: messages.settings(), actions: preferenceActions(context) },
  ].filter((group) => group.actions.length > 0);
}

/** What was open before, while nothing is searched for. */
export function recentActions({ path, navigate }: Context): SpotlightActionGroupData[] {
  const actions = recentScreens(path).map(({ href, title }) => ({
    id: `recent-${href}`,
    label: title,
    leftSection: <IconHistory {...icon} />,
    onClick: () => navigate(href),
  }));
  return actions.length > 0 ? [{ group: messages.recent(), actions }] : [];
}

/** With more tables the palette would begin with a list of them. */
const TASK_TABLES = 8;

/** The tasks that can be begun from anywhere: that of the table on the screen first. */
function taskActions({ model, abilities, path, navigate }: Context) {
  const { rights } = abilities;
  const tables = readableTables(model, abilities);
  const here = tables.find(({ name }) => isWithin(path, tableAddress(name)));
  const inOrder = here ? [here, ...tables.filter((table) => table !== here)] : tables;
  const task = (label: string, Icon: typeof IconSun, onClick: () => void) => ({
    ...action(label, Icon, onClick),
    keywords: messages.keywordsTask(),
  });
  const may = (right: (typeof rights)[number]) => rights.includes(right);
  return [
    ...inOrder
      .filter(({ name }) => abilities.tables[name]?.create)
      .slice(0, TASK_TABLES)
      .map(({ name, recordLabel }) =>
        task(messages.newRecord({ record: recordLabel }), IconPlus, () => {
          setArrival({ table: name, isNew: true });
          navigate(tableAddress(name));
        }),
      ),
    ...(may("model") && here
      ? [
          task(messages.addFieldTo({ table: here.label }), IconColumnInsertRight, () =>
            openFieldSheet(here.name),
          ),
        ]
      : []),
    ...(may("model")
      ? [task(messages.addTable(), IconTablePlus, () => openSheet({ kind: "table" }))]
      : []),
    ...(may("users")
      ? [task(messages.inviteUser(), IconUserPlus, () => openSheet({ kind: "user" }))]
      : []),
    ...(may("displays")
      ? [task(messages.pairDisplay(), IconDeviceTv, () => openSheet({ kind: "display" }))]
      : []),
  ];
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
    // By its title; a number says little.
    label: detail ?? title,
    description: detail ? `${title} · ${table.label}` : table.label,
    leftSection: <TableIcon table={table.name} />,
    onClick: () => navigate(recordAddressFrom(location, table.name, id), { state }),
  }));
  return [{ group: recordsGroup(), actions }];
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

function screenActions({ abilities, role, navigate }: Context) {
  const administration = administrationLinks(abilities, role).map((link) => ({
    keywords: messages.keywordsAdministration,
    ...link,
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
