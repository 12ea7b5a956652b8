import { defaultLimits } from "../../../../shared/limits.ts";
import type { Field, Model, Values } from "../../../../shared/model/model.ts";
import type { Refusal } from "../../../../shared/protocol/errors.ts";
import type { Move } from "../../../../shared/protocol/views.ts";
import { createAtomStore } from "../../state/atom-store.ts";
import { connectionAtom, editCountsAtom } from "../../state/connection-state.ts";
import type { EditStorage } from "../../transport/edit-storage.ts";
import { createMemoryEditStorage } from "../../transport/memory-edit-storage.ts";
import { singleTabLease, type TabLease } from "../../transport/tab-lease.ts";
import type { Clock } from "../clock.ts";
import { createClientCore } from "../create-client-core.ts";
import type { UndoStorage } from "../edits/stored-undo.ts";
import { FakeClock } from "./fake-clock.ts";
import { FakeServer, fakeModel } from "./fake-server.ts";

/** Longer than every delay and retry of a client on a healthy connection. */
export const IDLE_MS = 12_000;

/** A clock, a server, and as many clients as a test opens. */
export function fakeSystem(seed = 1) {
  const clock = new FakeClock(seed);
  const server = new FakeServer(clock);
  return {
    clock,
    server,
    client: (
      user = "ann",
      storage: EditStorage = createMemoryEditStorage(),
      lease: TabLease = singleTabLease(`${user}-tab`),
      aheadMs = 0,
    ) => openClient(clockAhead(clock, aheadMs), server, user, storage, lease),
    /** The page is left and opened again: memory is gone, storage is not. */
    async reload(client: FakeClient): Promise<FakeClient> {
      await client.core.stop();
      client.line.disconnect();
      server.transports.delete(client.line);
      const { line, storage, lease, undo } = client;
      return openClient(clock, server, line.user, storage, lease, undo);
    },
    /** Puts records into the table before anybody looks. */
    seed(count: number, make: (index: number) => Values = record): void {
      const by = { kind: "system" as const, id: "seed", name: "Seed" };
      for (let index = 0; index < count; index++) {
        const op = { op: "create" as const, table: "incidents", record: `i${index}` };
        server.incidents.run({ ...op, values: make(index) }, `seed-${index}`, by);
      }
    },
    /** Another program changes a record. */
    change(id: string, set: Values): void {
      const by = { kind: "external" as const, id: "psql", name: "psql" };
      server.write((table) => {
        const base = { ...table.records.get(id)?.values };
        table.run({ op: "update", table: "incidents", record: id, set, base }, "", by);
      });
    },
    create(id: string, values: Values): void {
      const by = { kind: "external" as const, id: "psql", name: "psql" };
      server.write((table) =>
        table.run({ op: "create", table: "incidents", record: id, values }, "", by),
      );
    },
    remove(id: string): void {
      const by = { kind: "external" as const, id: "psql", name: "psql" };
      server.write((table) =>
        table.run({ op: "delete", table: "incidents", record: id, version: "" }, "", by),
      );
    },
  };
}

export type FakeSystem = ReturnType<typeof fakeSystem>;
export type FakeClient = ReturnType<typeof openClient>;

/** The values of a seeded record. */
export function record(index: number): Values {
  return { title: `Title ${index}`, state: index % 2 ? "Active" : "New", rank: index, secret: "s" };
}

/** The clock of a machine that goes wrong by so much. */
function clockAhead(clock: FakeClock, ms: number): Clock {
  return {
    now: () => clock.now() + ms,
    steady: () => clock.steady(),
    random: clock.random,
    newId: () => clock.newId(),
    after: (delay, task) => clock.after(delay, task),
  };
}

function openClient(
  clock: Clock,
  server: FakeServer,
  user: string,
  storage: EditStorage,
  lease: TabLease,
  undo = memoryUndo(),
) {
  const transport = server.transport(user);
  const store = createAtomStore();
  let model = fakeModel;
  const limits = { ...defaultLimits, ...server.limits };
  const context = () => ({
    user: { id: user, name: user, attributes: {} },
    model,
    limits,
    textOrder: "en",
    labelOf: ({ name }: Field, id: string) => server.incidents.labels[name]?.(id),
  });
  const moves: { view: string; moves: readonly Move[] }[] = [];
  const moving = { moves, refusal: null as Refusal | null };
  const moveRecords = async (view: string, made: readonly Move[]) => {
    if (moving.refusal) throw moving.refusal;
    moves.push({ view, moves: made });
  };
  const core = createClientCore({
    ...{ transport, storage, store, context, lease, clock, undo, moveRecords },
  });
  return {
    /** The moves in views that the server was asked for, and what it answers the next with instead. */
    moving,
    line: transport,
    store,
    storage,
    lease,
    undo,
    core,
    /** Sets the model that this user may see from now on. */
    setVisibleModel(visible: Model): void {
      model = visible;
      core.forgetHidden();
    },
    connection: () => store.get(connectionAtom).kind,
    counts: () => store.get(editCountsAtom),
  };
}

/** Undo steps as a tab stores them: as JSON. */
function memoryUndo(): UndoStorage {
  let stored = "null";
  return {
    read: () => JSON.parse(stored),
    write: (value) => {
      stored = JSON.stringify(value);
    },
  };
}
