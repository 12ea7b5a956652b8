import { setTimeout as sleep } from "node:timers/promises";
import type { MutateCall, WireOp } from "../../shared/protocol/mutate.ts";
import { ProductLine } from "./product-line.ts";

/**
 * What one user can do as fast as the server allows: each call is repeated as soon as it was answered,
 * whatever the answer, until the signal.
 */
export const floodNames = [
  "accepted edits",
  "accepted edits elsewhere",
  "refused edits",
  "REST edits",
  "REST reads",
  "socket reads",
  "summaries",
  "exports",
  "activity",
  "change sets",
  "comments",
  "sign-ins",
  "presence",
  "tile evaluations",
  "imports",
  "sockets that do not read",
] as const;
export type FloodName = (typeof floodNames)[number];

/** The flooding user, and records that nobody else edits. */
export interface Flooder {
  url: string;
  token: string;
  records: readonly string[];
}

type Call = (turn: number, place: number) => Promise<unknown>;
/** Opens what is needed; returns one call to be repeated, and how many at once. */
type Flood = (by: Flooder) => Promise<{ call: Call; atOnce: number; close: () => void }>;

const SOCKETS = 5;
const MUTATIONS_AT_ONCE = 100;
const READS_AT_ONCE = 50;
const OPS = 20;
/** Few, so that the last import has ended soon after its flood. */
const IMPORT_ROWS = 500;
const PAGE = 1_000;
/** Socket reads lead to pages before this record. */
const JUMPED_RECORDS = 20_000;
const REFUSED_PAUSE_MS = 20;

/** What the flood has written last, by record. */
const stored = new Map<string, string | null>();

const floods: Record<FloodName, Flood> = {
  "accepted edits": acceptedEdits("incidents", "notes"),
  "accepted edits elsewhere": acceptedEdits("people", "location"),
  "refused edits": bySockets(MUTATIONS_AT_ONCE, (line, { records }, turn) => {
    const ops = Array.from({ length: OPS }, (_, at): WireOp => {
      const record = records[(turn + at) % records.length] as string;
      const [set, base] = [{ notes: "refused" }, { notes: "never there" }];
      return { op: "update", table: "incidents", record, set, base };
    });
    return line.socket.emitWithAck("mutate", mutation(ops));
  }),
  "REST edits": byRest((turn, { records }) => ({
    method: "PATCH",
    path: `/tables/incidents/records/${records[turn % records.length]}?overwrite=true`,
    body: { set: { notes: `${turn}` } },
  })),
  "REST reads": byRest(() => ({
    path: `/tables/incidents/records?limit=${PAGE}&sort=-title&search=e`,
  })),
  "socket reads": bySockets(MUTATIONS_AT_ONCE, (line, _, turn) => {
    const offset = (turn * PAGE) % JUMPED_RECORDS;
    const query = { table: "incidents", sort: ["-title"], search: "e", offset, limit: PAGE };
    return line.socket.emitWithAck("query", query);
  }),
  // Equal ones would be computed once for all.
  summaries: byRest((turn) => ({
    path: `/tables/incidents/summary?measure=median:reassignments&search=${turn % PAGE}`,
  })),
  exports: byRest(() => ({ path: "/tables/incidents/export.jsonl?sort=-title" })),
  activity: byRest((turn) => ({ path: `/changes?limit=${PAGE}&search=${turn % PAGE}` })),
  "change sets": byRest((turn, { records }) => ({
    method: "POST",
    path: "/change-sets",
    body: {
      ops: records.slice(0, PAGE).map((record) => {
        const [set, base] = [{ notes: `draft ${turn}` }, { notes: null }];
        return { op: "update", table: "incidents", record, set, base };
      }),
    },
  })),
  comments: byRest((turn, { records }) => ({
    method: "POST",
    path: "/comments",
    body: { table: "incidents", record: records[0], text: `Comment ${turn}` },
  })),
  "sign-ins": byRest((turn) => ({
    method: "POST",
    path: "/session",
    body: { email: `nobody-${turn}@example.com`, password: "a wrong password" },
  })),
  presence: bySockets(MUTATIONS_AT_ONCE, (line, { records }, turn) => {
    const record = records[turn % records.length];
    return line.socket.emitWithAck("presence", { table: "incidents", record, mode: "editing" });
  }),
  "tile evaluations": bySockets(SOCKETS, async (line, _, turn) => {
    const zone = Intl.supportedValuesOf("timeZone")[turn % 400] ?? "UTC";
    await line.socket.emitWithAck("tiles", { wallboard: "home", zone });
    return line.socket.emitWithAck("leaveTiles", { wallboard: "home", zone });
  }),
  imports: async (by) => ({
    call: (turn) => importRows(by, turn),
    atOnce: SOCKETS,
    close: () => undefined,
  }),
  "sockets that do not read": bySockets(MUTATIONS_AT_ONCE, async (line, _, turn) => {
    if (turn < SOCKETS) await line.subscribe({ table: "incidents" });
    stopReading(line);
    const query = { table: "incidents", filter: null, sort: ["title"], search: "" };
    void line.socket
      .emitWithAck("query", { ...query, offset: 0, limit: PAGE })
      .catch(() => undefined);
    await sleep(REFUSED_PAUSE_MS);
  }),
};

/** Each parallel call has a record of its own, so that its last value is known; other tables than incidents get theirs first. */
function acceptedEdits(table: string, field: string): Flood {
  return bySockets(MUTATIONS_AT_ONCE, async (line, { url, records }, turn, place) => {
    const record = records[place] as string;
    const key = `${url} ${table} ${record}`;
    if (table !== "incidents" && !stored.has(key)) {
      const made: WireOp = { op: "create", table, record, values: { name: record } };
      await line.socket.emitWithAck("mutate", mutation([made]));
      stored.set(key, null);
    }
    const [set, base] = [{ [field]: `${turn}` }, { [field]: stored.get(key) ?? null }];
    const op: WireOp = { op: "update", table, record, set, base };
    const answer = await line.socket.emitWithAck("mutate", mutation([op]));
    const [result] = answer.ok ? answer.results : [];
    if (result?.ok) stored.set(key, `${turn}`);
    // The answer to its last edit was lost when a round ended.
    else if (result) stored.set(key, theirsOf(result.error, field));
    return answer;
  });
}

/** Runs a flood until the signal; returns how many calls were answered. */
export async function runFlood(name: FloodName, by: Flooder, signal: AbortSignal): Promise<number> {
  const { call, atOnce, close } = await floods[name](by);
  let turn = 0;
  let answered = 0;
  const repeat = async (place: number) => {
    while (!signal.aborted) {
      const answer = await call(turn++, place);
      answered += 1;
      // Like a client that ignores most of the retry time.
      if (isRefused(answer)) await sleep(REFUSED_PAUSE_MS);
    }
  };
  // Calls in flight at the end are ignored: their connections are closed.
  const running = Array.from({ length: atOnce }, (_, place) =>
    repeat(place).catch(() => undefined),
  );
  const stopped = new Promise<void>((resolve) => signal.addEventListener("abort", () => resolve()));
  await Promise.race([Promise.all(running), stopped]);
  close();
  return answered;
}

function bySockets(
  atOnce: number,
  call: (line: ProductLine, by: Flooder, turn: number, place: number) => Promise<unknown>,
): Flood {
  return async (by) => {
    const open = () => ProductLine.open(by.url, by.token);
    const lines = await Promise.all(Array.from({ length: SOCKETS }, open));
    return {
      call: (turn, place) => call(lines[place % SOCKETS] as ProductLine, by, turn, place),
      atOnce,
      close: () => {
        for (const line of lines) line.close();
      },
    };
  };
}

interface RestCall {
  method?: string;
  path: string;
  body?: object;
}

/** What is under way at the end is aborted. */
function byRest(callOf: (turn: number, by: Flooder) => RestCall): Flood {
  return async (by) => {
    const ended = new AbortController();
    return {
      call: (turn) => callRest(by, callOf(turn, by), ended.signal),
      atOnce: READS_AT_ONCE,
      close: () => ended.abort(),
    };
  };
}

const mutation = (ops: WireOp[]): MutateCall => ({ id: crypto.randomUUID(), ops });

const headersOf = ({ token }: Flooder, type = "application/json") => ({
  authorization: `Bearer ${token}`,
  "content-type": type,
});

async function callRest(by: Flooder, { method, path, body }: RestCall, signal: AbortSignal) {
  const answer = await fetch(`${by.url}/api/v1${path}`, {
    ...(method !== undefined && { method }),
    ...(body !== undefined && { body: JSON.stringify(body) }),
    headers: headersOf(by),
    signal,
  });
  await answer.arrayBuffer();
  return { ok: answer.ok };
}

/** The first one creates the rows, each further one writes all of them again. */
async function importRows(by: Flooder, turn: number): Promise<unknown> {
  const rows = Array.from({ length: IMPORT_ROWS }, (_, at) => `flood-${at},Row ${at},turn ${turn}`);
  const answer = await fetch(`${by.url}/api/v1/tables/incidents/imports?key=id&id=id`, {
    method: "POST",
    headers: headersOf(by, "text/csv"),
    body: ["id,title,notes", ...rows].join("\n"),
  });
  await answer.arrayBuffer();
  return { ok: answer.ok };
}

function theirsOf(error: object, field: string): string | null {
  const { fields } = error as { fields?: Record<string, { theirs?: string | null }> };
  return fields?.[field]?.theirs ?? null;
}

function isRefused(answer: unknown): boolean {
  return (answer as { ok?: boolean } | undefined)?.ok === false;
}

/** The connection stays open, and nothing is read from it any more. */
function stopReading({ socket }: ProductLine): void {
  const { transport } = socket.io.engine as unknown as {
    transport: { ws: { _socket: { pause(): void } } };
  };
  transport.ws._socket.pause();
}
