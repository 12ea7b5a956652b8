import type { CreateViewCall, ViewInfo } from "../../shared/protocol/views.ts";
import type { Dice } from "../convergence/dice.ts";
import type { Desk } from "../harness/desk.ts";
import type { Knowledge } from "./knowledge.ts";
import { canaryFields } from "./random-role.ts";
import type { Watcher } from "./watcher.ts";

interface Setting {
  desk: Desk;
  known: Knowledge;
  dice: Dice;
}

/**
 * Shared views over the canaries, by every field that holds some. Names and filters hold canaries too:
 * who may not read the field that a view depends on is told nothing of it, and may not learn it by
 * trying to change it.
 */
export class CanaryViews {
  readonly #dice: Dice;
  readonly #ids: readonly string[];

  private constructor(dice: Dice, ids: readonly string[]) {
    this.#dice = dice;
    this.#ids = ids;
  }

  static async open({ desk, known, dice }: Setting): Promise<CanaryViews> {
    const ids: string[] = [];
    for (const call of canaryFields.flatMap((field) => viewsOn(field, known))) {
      const { id } = await desk.boss.call<ViewInfo>("POST", "/views", call);
      ids.push(id);
    }
    return new CanaryViews(dice, ids);
  }

  async ask({ tapped }: Watcher): Promise<void> {
    const path = `/views/${this.#dice.pick(this.#ids)}`;
    const seen = { filter: null, columns: [] };
    await tapped.rest("PATCH", path, { name: "never", filter: null, columns: [], base: seen });
    await tapped.rest("GET", this.#dice.next() < 0.5 ? "/views" : path);
  }
}

function viewsOn(field: string, known: Knowledge): CreateViewCall[] {
  const table = "incidents";
  const shared = true;
  const word = () => known.mint("boss", { table, field });
  const filter = { field, op: "ne", value: word() } as const;
  const plain = { name: `Columns ${field}`, columns: [{ field }, { field: "caller" }] };
  return [
    { table, shared, name: word(), filter },
    { table, shared, name: word(), sort: [`-${field}`] },
    { table, shared, ...plain },
  ];
}
