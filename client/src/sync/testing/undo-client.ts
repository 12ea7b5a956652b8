import { type FakeClient, fakeSystem } from "./fake-system.ts";

/** A client whose table is open; `play` undoes or redoes and waits for the answers. */
export async function opened() {
  const system = fakeSystem();
  system.seed(5);
  const client = system.client();
  const session = client.core.openTable("incidents");
  session.openRowList({ filter: null, sort: ["rank"], search: "" });
  client.core.start();
  await system.clock.advance(100);
  const title = (id: string) => system.server.incidents.records.get(id)?.values.title;
  const applyUndo = async (what: "undo" | "redo") => {
    const report = client.core.undo[what]();
    await system.clock.advance(200);
    return report;
  };
  return { ...system, client, session, title, play: applyUndo };
}

/** Edits the title of a record that nobody has changed yet, or that has the title `base`. */
export function edit(client: FakeClient, id: string, title: string, base = `Title ${id.slice(1)}`) {
  return client.core.edits.edit("incidents", { record: id, set: { title }, base: { title: base } });
}
