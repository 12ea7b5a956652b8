import type { Filter } from "../../filter/filter.ts";
import type { Table } from "../model.ts";
import { workOf } from "../work-of.ts";
import type { VisibleTable } from "./home-wallboard.ts";
import type { Tile } from "./tile.ts";
import type { WallboardDocument } from "./wallboard.ts";

/** How the parts of a first wallboard are called, in the language of its author. */
export interface FirstTitles {
  open(table: Table): string;
  overdue(): string;
  by(label: string): string;
}

/**
 * A wallboard of one table that is worth a screen as it is: how many records are open and late, how they are spread, and the list of them.
 * It is made for who pairs a screen before any wallboard was designed.
 */
export function firstWallboard(
  { table, visible }: VisibleTable,
  titles: FirstTitles,
): Pick<WallboardDocument, "name" | "tiles"> {
  const work = workOf(table, visible);
  const shown = table.fields.filter(({ name }) => visible.includes(name));
  const group = work?.level ?? work?.state ?? shown.find(({ type }) => type === "select");
  const base = {
    table: table.name,
    measure: { op: "count" as const },
    ...(work && { filter: work.open }),
  };
  const late = work?.due && {
    field: work.due.name,
    op: "lt" as const,
    value: work.due.type === "date" ? "$today" : "$now",
  };
  const fields = [...new Set([table.display, ...table.columns])]
    .filter((name) => visible.includes(name))
    .slice(0, 4);
  const tiles: (Tile | false | undefined)[] = [
    {
      ...{ ...base, id: "open", kind: "number", layout: { x: 0, y: 0, w: 4, h: 3 } },
      title: work ? titles.open(table) : table.label,
    } as Tile,
    late &&
      ({
        ...{ ...base, id: "overdue", kind: "number", layout: { x: 4, y: 0, w: 4, h: 3 } },
        title: titles.overdue(),
        filter: { and: [work.open, late] } satisfies Filter,
        better: "less",
      } as Tile),
    {
      ...{ id: "clock", kind: "clock", hours: "24", date: true },
      layout: late ? { x: 8, y: 0, w: 4, h: 3 } : { x: 4, y: 0, w: 8, h: 3 },
    } as Tile,
    group &&
      ({
        ...{ ...base, id: "by", kind: "breakdown", layout: { x: 0, y: 3, w: 5, h: 5 } },
        ...{ title: titles.by(group.label), group: group.name, shape: "bars", limit: 8 },
      } as Tile),
    {
      ...{ ...base, id: "list", kind: "queue", limit: 10, fields, title: table.label },
      layout: group ? { x: 5, y: 3, w: 7, h: 5 } : { x: 0, y: 3, w: 12, h: 5 },
    } as Tile,
  ];
  return { name: table.label, tiles: tiles.filter((tile) => !!tile) };
}
