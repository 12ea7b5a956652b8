import {
  type Icon,
  IconAlertCircle,
  IconBuilding,
  IconCalendar,
  IconCash,
  IconListDetails,
  IconPackage,
  IconServer2,
  IconTruck,
  IconUser,
  IconUsersGroup,
} from "@tabler/icons-react";

/** The model has no icons, so they are chosen by the names of usual tables. */
const byWord: [RegExp, Icon][] = [
  [/incident|ticket|issue|alert|problem/, IconAlertCircle],
  [/group|team|department/, IconUsersGroup],
  [/people|person|user|contact|customer|employee|caller/, IconUser],
  [/service|server|system|asset|device/, IconServer2],
  [/order|product|item|stock|part/, IconPackage],
  [/ship|deliver|vehicle|truck/, IconTruck],
  [/invoice|payment|price|budget/, IconCash],
  [/site|office|location|building|supplier|compan/, IconBuilding],
  [/event|shift|appointment|booking|calendar/, IconCalendar],
];

/** The icon of a table, always beside its name and never instead of it. */
export function TableIcon({ table, size = 18 }: { table: string; size?: number }) {
  const Shape =
    byWord.find(([pattern]) => pattern.test(table.toLowerCase()))?.[1] ?? IconListDetails;
  return <Shape size={size} stroke={1.6} aria-hidden="true" />;
}
