import type { CreateViewCall, ViewInfo } from "../../shared/protocol/views.ts";
import type { SeededRandom } from "../convergence/seeded-random.ts";
import type { TestInstallation } from "../harness/test-installation.ts";
import type { Knowledge } from "./knowledge.ts";
import { canaryFields } from "./random-role.ts";
import type { Watcher } from "./watcher.ts";

interface Setting {
  installation: TestInstallation;
  knowledge: Knowledge;
  random: SeededRandom;
}

/**
 * Shared views over the canaries, by every field that holds some. Names and filters hold canaries too: users
 * who may not read the field that a view depends on must receive nothing of it, and may not learn it by
 * trying to change it.
 */
export class CanaryViews {
  readonly #random: SeededRandom;
  readonly #ids: readonly string[];

  private constructor(random: SeededRandom, ids: readonly string[]) {
    this.#random = random;
    this.#ids = ids;
  }

  static async open({ installation, knowledge, random }: Setting): Promise<CanaryViews> {
    const ids: string[] = [];
    for (const call of canaryFields.flatMap((field) => viewsOn(field, knowledge))) {
      const { id } = await installation.ownerUser.call<ViewInfo>("POST", "/views", call);
      ids.push(id);
    }
    return new CanaryViews(random, ids);
  }

  async requestAll({ tapped }: Watcher): Promise<void> {
    const path = `/views/${this.#random.pick(this.#ids)}`;
    const base = { filter: null, columns: [] };
    await tapped.rest("PATCH", path, { name: "never", filter: null, columns: [], base: base });
    await tapped.rest("GET", this.#random.next() < 0.5 ? "/views" : path);
  }
}

function viewsOn(field: string, knowledge: Knowledge): CreateViewCall[] {
  const table = "incidents";
  const shared = true;
  const canary = () => knowledge.createCanary("boss", { table, field });
  const filter = { field, op: "ne", value: canary() } as const;
  const plain = { name: `Columns ${field}`, columns: [{ field }, { field: "caller" }] };
  return [
    { table, shared, name: canary(), filter },
    { table, shared, name: canary(), sort: [`-${field}`] },
    { table, shared, ...plain },
  ];
}
