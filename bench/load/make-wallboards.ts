import type { Filter } from "../../shared/filter/filter.ts";
import type { TileInput } from "../../shared/model/wallboard/tile.ts";
import type { BenchEnvironment } from "./bench-environment.ts";
import { pairWall } from "./wall.ts";

/** A tile that has no id yet. */
type Unnamed<T> = T extends unknown ? Omit<T, "id"> : never;

const layout = { x: 0, y: 0, w: 3, h: 2 };

/** Tiles of every kind; each wallboard has a filter of its own, so that little is shared. */
export async function makeWallboards({ api, records }: BenchEnvironment, count: number) {
  const made: { wallboard: string; token: string }[] = [];
  for (let index = 0; index < count; index += 1) {
    const own: Filter = { field: "title", op: "ne", value: `nothing ${index}` };
    const mark: Filter = { field: "id", op: "eq", value: records[0] };
    const source = { table: "incidents", filter: own, layout };
    const sum = { op: "sum", field: "reassignments" } as const;
    const unnamed: Unnamed<TileInput>[] = [
      { ...source, kind: "number", filter: mark, measure: sum },
      { ...source, kind: "number" },
      { ...source, kind: "number", measure: sum },
      { ...source, kind: "number", measure: { op: "avg", field: "reassignments" } },
      { ...source, kind: "number", measure: { op: "max", field: "reassignments" } },
      { ...source, kind: "breakdown", group: "state" },
      { ...source, kind: "breakdown", group: "priority", measure: sum },
      { ...source, kind: "lights", group: "group" },
      { ...source, kind: "trend", time: { field: "opened_at", bucket: "day", count: 30 } },
      {
        ...source,
        kind: "queue",
        order: "-opened_at",
        limit: 8,
        fields: ["number", "title", "state"],
      },
      { ...source, kind: "progress", of: {} },
      { ...source, kind: "activity", limit: 6 },
    ];
    const tiles = unnamed.map((tile, place): TileInput => {
      return { ...tile, id: place === 0 ? "mark" : `t${place}` };
    });
    const body = { name: `Bench ${index}`, tiles };
    const { id } = await api.call("POST /wallboards", { body });
    made.push({ wallboard: id, token: await pairWall(api, id) });
  }
  return made;
}
