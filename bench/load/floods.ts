import { once } from "node:events";
import { connect, type Socket } from "node:net";
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
/** What somebody does who wants to stop or fill the server (docs/SECURITY.md, "What one caller can hold"). */
export const attackNames = [
  "bad bodies",
  "messages of many arguments",
  "connections of strangers",
  "sockets of one user",
  "answers that are not read",
  "stored bytes",
  "descriptions of the API",
] as const;
export type AttackName = (typeof attackNames)[number];
export type FloodName = (typeof floodNames)[number] | AttackName;

/** The flooding user, and records that nobody else edits. */
export interface Flooder {
  url: string;
  token: string;
  records: readonly string[];
  /** Whether it floods the empty server of the floor. */
  isFloor?: boolean;
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

/** An attack holds as many, and more than the limits allow; then it gives up its oldest one for each new one. */
const CONNECTIONS = 2_000;
const SOCKETS_OF_ONE_USER = 400;
const BAD_BODY_BYTES = 1_000_000;
const ARGUMENTS = 100_000;
const REFUSED_BODY_BYTES = 60_000;
/** A message of a stranger that is not whole. */
const PIECE_BYTES = 15_000;

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
  "bad bodies": byRest(() => ({ method: "POST", path: "/mutations", body: badBody })),
  "messages of many arguments": async (by) => ({
    call: () => sendManyArguments(by),
    atOnce: SOCKETS,
    close: () => undefined,
  }),
  "connections of strangers": byConnections(() =>
    Buffer.concat([
      requestOf("/socket.io/?EIO=4&transport=websocket", upgradeLines),
      pieceOfMessage,
    ]),
  ),
  "sockets of one user": async (by) => {
    const lines: ProductLine[] = [];
    return {
      call: (turn) => holdSocket(lines, by, turn),
      atOnce: SOCKETS,
      close: () => {
        for (const line of lines) line.close();
      },
    };
  },
  "answers that are not read": byConnections(({ token }) =>
    requestOf(`/api/v1/tables/incidents/records?limit=${PAGE}`, [`authorization: Bearer ${token}`]),
  ),
  "stored bytes": byRest((turn) => {
    const set = { notes: "x".repeat(REFUSED_BODY_BYTES) };
    const op = { op: "update", table: "incidents", record: "hidden", set, base: { notes: null } };
    const ops = [op];
    return turn % 2 === 0
      ? { method: "POST", path: "/mutations", body: { id: crypto.randomUUID(), ops } }
      : { method: "POST", path: "/change-sets", body: { ops } };
  }),
  "descriptions of the API": byRest((turn) => ({
    path: ["/openapi.json", "/model.schema.json"][turn % 2] as string,
  })),
};

/** Every op is wrong. */
const badBody = JSON.stringify({
  id: "m",
  ops: new Array(Math.floor(BAD_BODY_BYTES / 3)).fill({}),
});

const ones = new Array(ARGUMENTS).fill(1).join();

/** Opens a socket and sends one such message, which ends it. The floor is sent as many bytes in one argument: it would end by the other. */
async function sendManyArguments({ url, token, isFloor = false }: Flooder): Promise<object> {
  const line = await ProductLine.open(url, token).catch(() => null);
  if (!line) return { ok: false };
  const ended = new Promise((resolve) => line.socket.once("disconnect", resolve));
  // As it is on the wire: the library would not encode so many.
  line.socket.io.engine.send(isFloor ? `20["x",[${ones}]]` : `20["x",${ones}]`);
  if (isFloor) line.close();
  await ended;
  return { ok: true };
}

/** Connections that send this, read nothing, and stay open as long as the server lets them. */
function byConnections(sentBy: (by: Flooder) => Buffer): Flood {
  return async (by) => {
    const { hostname, port } = new URL(by.url);
    const sent = sentBy(by);
    const open: Socket[] = [];
    return {
      call: async () => {
        if (open.length >= CONNECTIONS) open.shift()?.destroy();
        const socket = connect(Number(port), hostname);
        open.push(socket.on("error", () => undefined).pause());
        await Promise.race([once(socket, "connect"), once(socket, "close")]);
        socket.write(sent);
        await sleep(REFUSED_PAUSE_MS);
      },
      atOnce: READS_AT_ONCE,
      close: () => {
        for (const socket of open) socket.destroy();
      },
    };
  };
}

function requestOf(path: string, lines: readonly string[]): Buffer {
  return Buffer.from(`GET ${path} HTTP/1.1\r\nhost: x\r\n${lines.join("\r\n")}\r\n\r\n`);
}

const upgradeLines = [
  "connection: upgrade",
  "upgrade: websocket",
  "sec-websocket-version: 13",
  "sec-websocket-key: AAAAAAAAAAAAAAAAAAAAAA==",
];

/** A masked text frame of 16,000 bytes of which some are missing. */
const pieceOfMessage = Buffer.concat([
  Buffer.from([0x81, 0xfe, 0x3e, 0x80, 0, 0, 0, 0]),
  Buffer.alloc(PIECE_BYTES, "x"),
]);

/** Opens one more socket that follows a table, says where it is, asks for a page, and reads nothing. */
async function holdSocket(lines: ProductLine[], by: Flooder, turn: number): Promise<object> {
  if (lines.length >= SOCKETS_OF_ONE_USER) lines.shift()?.close();
  const line = await ProductLine.open(by.url, by.token).catch(() => null);
  if (!line) return { ok: false };
  lines.push(line);
  await line.socket.emitWithAck("subscribe", { table: "incidents" });
  stopReading(line);
  const record = by.records[turn % by.records.length] as string;
  line.socket.emit("presence", { table: "incidents", record, mode: "editing" }, () => undefined);
  const query = { table: "incidents", filter: null, sort: ["title"], search: "" };
  line.socket.emit("query", { ...query, offset: 0, limit: PAGE }, () => undefined);
  return { ok: true };
}

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
  body?: object | string;
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
    ...(body !== undefined && { body: typeof body === "string" ? body : JSON.stringify(body) }),
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
