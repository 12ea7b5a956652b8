import { createHash, randomBytes } from "node:crypto";
import { io, type Socket } from "socket.io-client";
import { TestInstallation } from "../../harness/test-installation.ts";

/** An answer of either connection, as text too: a searched value must be nowhere in it. */
export interface Answer {
  ok: boolean;
  status: number;
  // Answers of every shape; missing properties are undefined.
  body: Record<string, unknown>;
  text: string;
}

/** A user of the pool: signed in throughout, by REST and by a socket. */
export interface Actor {
  id: string;
  rest(method: string, path: string, body?: unknown): Promise<Answer>;
  socket(event: string, message: object): Promise<Answer>;
  /** The changes and frames that were sent to their socket since the last call. */
  heard(): string;
}

const ACTORS = 4;

/** One server for all sequences, its owner, and users whose roles and attributes each sequence sets again. */
export class RightsWorld implements AsyncDisposable {
  readonly owner: Actor;
  readonly actors: Actor[];
  readonly #installation: TestInstallation;
  readonly #sockets: Socket[];

  private constructor(
    installation: TestInstallation,
    owner: Actor,
    actors: Actor[],
    sockets: Socket[],
  ) {
    this.#installation = installation;
    this.owner = owner;
    this.actors = actors;
    this.#sockets = sockets;
  }

  static async open(): Promise<RightsWorld> {
    const unlimited = String(1_000_000);
    const installation = await TestInstallation.openInProcess({
      environment: {
        WATCHFLOOR_TEMPLATE: "empty",
        WATCHFLOOR_REQUESTS_PER_USER: unlimited,
        WATCHFLOOR_REQUESTS_PER_ADDRESS: unlimited,
        EVALUATIONS_PER_USER: unlimited,
      },
    });
    const sockets: Socket[] = [];
    const { url } = installation.server;
    const owner = actor(url, installation.ownerUser.info.id, installation.ownerUser.token, sockets);
    const actors: Actor[] = [];
    for (let at = 0; at < ACTORS; at++) {
      const token = randomBytes(32).toString("base64url");
      const id = `actor-${at}`;
      // Without a password, so that no hash is computed.
      await installation.program.query(
        `insert into watchfloor."user" (id, email, name, colour, role, attributes, status)
         values ($1, $2, $1, 'teal', 'viewer', '{}', 'active')`,
        [id, `${id}@example.com`],
      );
      await installation.program.query(
        "insert into watchfloor.session (id, user_id, ip, user_agent) values ($1, $2, '', '')",
        [createHash("sha256").update(token).digest("hex"), id],
      );
      actors.push(actor(url, id, token, sockets));
    }
    return new RightsWorld(installation, owner, actors, sockets);
  }

  async [Symbol.asyncDispose](): Promise<void> {
    for (const socket of this.#sockets) socket.disconnect();
    await this.#installation[Symbol.asyncDispose]();
  }
}

function actor(url: string, id: string, token: string, sockets: Socket[]): Actor {
  const headers = { authorization: `Bearer ${token}`, "content-type": "application/json" };
  let line: Socket | null = null;
  let heard: string[] = [];
  const connect = () => {
    line = io(url, {
      transports: ["websocket"],
      auth: { protocol: 1, token },
      extraHeaders: { cookie: `watchfloor_session=${token}` },
    });
    for (const event of ["changes", "frame"]) {
      line.on(event, (message) => heard.push(JSON.stringify(message)));
    }
    sockets.push(line);
    return line;
  };
  return {
    id,
    heard() {
      const text = heard.join("\n");
      heard = [];
      return text;
    },
    async rest(method, path, body) {
      const sent = body === undefined ? {} : { body: JSON.stringify(body) };
      const send = () => fetch(`${url}/api/v1${path}`, { method, headers, ...sent });
      // A notice of changed rights that arrives late makes waiting edits `unavailable`: they are sent again.
      let answer = await send();
      if (answer.status === 503) answer = await send();
      const text = await answer.text();
      const parsed = text.startsWith("{") ? JSON.parse(text) : {};
      return { ok: answer.ok, status: answer.status, body: parsed, text };
    },
    async socket(event, message) {
      const answer = await (line ?? connect()).timeout(60_000).emitWithAck(event, message);
      return { ok: answer.ok === true, status: 0, body: answer, text: JSON.stringify(answer) };
    },
  };
}
