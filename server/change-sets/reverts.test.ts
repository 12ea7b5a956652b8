import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { SeededRandom } from "../../e2e/convergence/seeded-random.ts";
import { databases } from "../../e2e/provision/databases.ts";
import { proofSize } from "../../e2e/provision/proof-size.ts";
import { defaultLimits } from "../../shared/limits.ts";
import type { Values } from "../../shared/model/model.ts";
import type { ActivityEntry } from "../../shared/protocol/records.ts";
import {
  type CommandEnvironment,
  createCommandEnvironment,
  testIdentity,
} from "../commands/testing/command-environment.ts";
import { ChangeSets } from "./change-sets.ts";

const HISTORIES = proofSize(15, 300);
const EDITS = 40;
const RECORDS = 4;
const table = "incidents";
const fields = ["title", "category", "location"] as const;
const authors = ["ann", "bob", "cleo"].map((id) => testIdentity(id, "owner"));
const [boss] = authors as [ReturnType<typeof testIdentity>];

type State = Map<string, Values>;

/**
 * What a revert must leave, in plain code: the selected changes are taken back newest first, each cell only where it
 * still holds what the change wrote. A creation is taken back where nothing else was done to the record since.
 */
function reverted(state: State, changes: readonly ActivityEntry[], log: readonly ActivityEntry[]) {
  const after: State = new Map([...state].map(([id, values]) => [id, { ...values }]));
  const selected = new Set(changes.map(({ seq }) => seq));
  for (const [record, own] of Map.groupBy(changes, (change) => change.record)) {
    const values = after.get(record);
    if (own.at(-1)?.kind === "insert") {
      const isTouched = log.some((other) => other.record === record && !selected.has(other.seq));
      if (!isTouched) after.delete(record);
      continue;
    }
    const open = new Set<string>(fields);
    for (const change of own) {
      for (const [name, cell] of Object.entries(change.fields)) {
        if (!values || !open.has(name)) continue;
        if (values[name] === cell.after) values[name] = cell.before;
        else open.delete(name);
      }
    }
  }
  return after;
}

describe.each(databases.slice(0, 1))("reverts of random histories on $name", (kind) => {
  let environment: CommandEnvironment;
  let sets: ChangeSets;
  beforeAll(async () => {
    environment = await createCommandEnvironment(kind);
    sets = new ChangeSets({
      database: environment.database,
      model: () => environment.model,
      limits: defaultLimits,
      commands: environment.commands,
      identify: async ({ id }) => authors.find((one) => one.user.id === id) ?? null,
      onError: (error) => environment.errors.push(error),
    });
  });
  afterAll(async () => {
    expect(environment.errors).toEqual([]);
    await environment[Symbol.asyncDispose]();
  });

  const stateOf = async (prefix: string): Promise<State> => {
    const filter = { field: "id", op: "startsWith" as const, value: prefix };
    const page = await environment.commands.readPage(boss, { table, filter, limit: 1_000 });
    const pick = (values: Values) => Object.fromEntries(fields.map((name) => [name, values[name]]));
    return new Map(page.records.map(({ id, values }) => [id, pick(values) as Values]));
  };
  const logOf = async (prefix: string): Promise<ActivityEntry[]> => {
    const { items } = await environment.commands.readActivity(boss, { table, limit: 1_000 });
    return items.filter(({ record }) => record.startsWith(prefix));
  };
  const applyWhatCan = async (id: string) => {
    const { items } = await sets.preview(boss, id, { limit: 1_000 });
    const skip = items.filter(({ errors }) => errors.length > 0).map(({ index }) => index);
    expect(await sets.apply(boss, id, { skip })).toMatchObject({ state: "applied", refused: [] });
    return skip.length;
  };

  it.each(Array.from({ length: HISTORIES }, (_, seed) => seed))(
    "G4 of seed %i equal the reference, touch no later edit, and revert back",
    async (seed) => {
      const random = new SeededRandom(seed + 1);
      const prefix = `h${seed}-`;
      const made: string[] = [];
      for (let edit = 0; edit < EDITS; edit += 1) {
        const author = random.pick(authors);
        const record = `${prefix}${random.below(RECORDS)}`;
        const set = { [random.pick(fields)]: `v${random.below(3)}` };
        if (random.next() < 0.15) {
          const filter = { field: "id", op: "startsWith" as const, value: prefix };
          const { id } = await sets.create(author, { bulk: { table, filter, set } });
          await sets.apply(author, id, {});
          made.push(id);
          continue;
        }
        const [result] = await environment.run(author, {
          op: "update",
          table,
          record,
          set,
          overwrite: true,
        });
        if (!result?.ok) {
          await environment.run(author, { op: "create", table, record, values: set });
        }
      }
      const log = await logOf(prefix);
      const before = await stateOf(prefix);
      const target = random.next() < 0.5 ? made[random.below(made.length)] : undefined;
      const isSelected = ({ changeSet }: ActivityEntry) =>
        target === undefined ? random.next() < 0.4 : changeSet === target;
      const selected = log.filter(isSelected);
      if (selected.length === 0) return;
      const places = selected.map(({ seq }) => ({ table, seq }));
      const { id } =
        target === undefined
          ? await sets.create(boss, { revert: { changes: places } })
          : await sets.revert(boss, target);
      await applyWhatCan(id);
      const after = await stateOf(prefix);
      expect(after).toEqual(reverted(before, selected, log));
      if ((await sets.one(boss, id)).progress.applied === 0) return;
      const back = await sets.revert(boss, id);
      expect(await applyWhatCan(back.id)).toBe(0);
      expect(await stateOf(prefix)).toEqual(before);
    },
  );
});
