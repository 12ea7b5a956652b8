import type { Field, Table } from "../../shared/model/model.ts";
import { fieldOf, tableOf, teams, withField, withFieldNamed, withTable } from "./crossing-model.ts";
import type { CrossingWorld } from "./crossing-world.ts";

/** Steps that publish another model. */

/** Changes the table of jobs; a change that the data does not allow is refused. */
async function changeJobs(world: CrossingWorld, change: (table: Table) => Table): Promise<string> {
  const model = await world.model();
  const table = tableOf(model, "jobs");
  if (!table) return "none";
  return world
    .saveModel(() => withTable(model, change(table)))
    .then(
      () => "published",
      (error: Error) => {
        if (!/: 4\d\d /.test(error.message)) throw error;
        return error.message.slice(0, 160);
      },
    );
}

export function retypeField(world: CrossingWorld): Promise<string> {
  const [id, types] = world.random.pick([
    ["size", ["integer", "decimal"]],
    ["secret", ["text", "longText"]],
  ] as const);
  const type = world.random.pick<Field["type"]>(types);
  return changeJobs(world, (table) => withField(table, id, { type }));
}

export function requireField(world: CrossingWorld): Promise<string> {
  return changeJobs(world, (table) =>
    withField(table, "title", { required: !fieldOf(table, "title").required }),
  );
}

export function changeWorkflow(world: CrossingWorld): Promise<string> {
  const skip = { name: "skip", label: "Skip", from: ["New"], to: "Done" };
  return changeJobs(world, (table) => {
    const { states = [], transitions = [] } = table.workflow ?? {};
    const others = transitions.filter(({ name }) => name !== skip.name);
    const isNew = others.length === transitions.length;
    return { ...table, workflow: { states, transitions: isNew ? [skip, ...others] : others } };
  });
}

export function renameJobs(world: CrossingWorld): Promise<string> {
  const name = world.random.pick(["jobs", "tasks", "work orders"]);
  return changeJobs(world, (table) => ({ ...table, name }));
}

export async function renameField(world: CrossingWorld): Promise<string> {
  const id = world.random.pick(["title", "size", "secret"]);
  const name = world.random.pick([id, `${id} 2`, `${id} 3`]);
  await world.saveModel((model) => {
    const table = tableOf(model, "jobs");
    return table ? withTable(model, withFieldNamed(table, id, name)) : model;
  });
  return name;
}

export async function toggleField(world: CrossingWorld): Promise<string> {
  await world.saveModel((model) => {
    const table = tableOf(model, "jobs");
    if (!table) return model;
    const others = table.fields.filter((field) => field.name !== "extra");
    const extra = { name: "extra", label: "Extra", type: "text" } as const;
    const fields = others.length < table.fields.length ? others : [...others, extra];
    return withTable(model, { ...table, fields });
  });
  return "extra";
}

export async function renameTeams(world: CrossingWorld): Promise<string> {
  const name = world.random.pick(["teams", "crews", "squads"]);
  await world.saveModel((model) => {
    const table = model.tables.find(({ label }) => label === teams.label);
    return table ? withTable(model, { ...table, name }) : model;
  });
  return name;
}

export async function toggleTeams(world: CrossingWorld): Promise<string> {
  await world.saveModel((model) => {
    const others = model.tables.filter(({ label }) => label !== teams.label);
    const { id: _, ...fresh } = teams;
    return { ...model, tables: others.length < model.tables.length ? others : [...others, fresh] };
  });
  return "teams";
}

export async function reorderTables(world: CrossingWorld): Promise<string> {
  await world.saveModel((model) => ({ ...model, tables: model.tables.toReversed() }));
  return "reversed";
}
