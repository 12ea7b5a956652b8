import { connect, type Watchfloor } from "../../client/package/index.ts";
import type { UserInfo } from "../../shared/protocol/users.ts";
import { createRandom } from "../../shared/random.ts";
import { ConfigError, readConfig } from "../config/config.ts";
import { createLog } from "../create-log.ts";
import { serviceDeskWallboards } from "../model/templates/service-desk-wallboard.ts";
import { type RunningServer, startServer } from "../start-server.ts";
import { onStopSignal } from "../stop-signals.ts";
import { EmbeddedRefusal } from "../store/embedded/run-postgres.ts";
import { defineCommand } from "../terminal/command.ts";
import { colleagues, DEMO_PASSWORD, owner, type Role, visitor } from "./cast.ts";
import { simulateColleague } from "./colleague.ts";
import { createHistory } from "./create-history.ts";

/**
 * `watchfloor demo`: the service desk with users and history, and simulated colleagues. It has its own data
 * folder and embedded Postgres, whatever the environment says of a real one. Its password is public, so it
 * listens on this machine only, whatever HOST says, unless started with `--public`.
 */
const SEED = 20_261_121;

const usage = `watchfloor demo [--public]     runs the service desk with simulated colleagues, on http://localhost:3000

  --public    listen on HOST (every address unless set). Everybody who reaches it knows its password.

PORT, DATA_DIR (./data/demo) and LOG_LEVEL are read from the environment. With SMTP_URL and MAIL_FROM it sends mail, to a
mail server on this machine only. Also: npm run demo`;

async function run(isPublic: boolean): Promise<void> {
  const { SMTP_URL = "", PORT = "3000" } = process.env;
  // To a mail server on this machine, which shows what it gets, the demo sends; to a real one never: its users are invented.
  const mails = !isPublic && /^smtp:\/\/(localhost|127\.0\.0\.1)(:|$)/.test(SMTP_URL);
  const environment = {
    ...process.env,
    ...{ DATABASE_URL: "", REDIS_URL: "" },
    PUBLIC_URL: mails ? `http://localhost:${PORT}` : "",
  };
  const config = readConfig({
    DATA_DIR: "./data/demo",
    LOG_LEVEL: "warn",
    ...environment,
    ...(!isPublic && { HOST: "127.0.0.1" }),
    WATCHFLOOR_OWNER_EMAIL: owner.email,
    WATCHFLOOR_OWNER_PASSWORD: DEMO_PASSWORD,
    WATCHFLOOR_TEMPLATE: "service-desk",
  });
  const stopping = new AbortController();
  // A signal while users and history are created takes effect after that.
  const stopRequested = new Promise<void>((resolve) => {
    onStopSignal(resolve, () => process.exit(1));
  });
  void stopRequested.then(() => stopping.abort());
  if (process.env.HOST && !isPublic) {
    console.log("The demo listens on this machine only. To use HOST: npm run demo -- --public");
  }
  console.log("Preparing the demo …");
  const log = createLog(config.logLevel);
  const server = await startServer(config, log, stopping.signal).catch((error: unknown) => {
    if (error === stopping.signal.reason) process.exit(0);
    throw error;
  });
  try {
    const { links, ended } = await play(server, stopping.signal);
    printInvitation(server, links);
    await stopRequested;
    await ended;
  } finally {
    await server.stop();
  }
  process.exit(0);
}

async function play(server: RunningServer, signal: AbortSignal) {
  const { port } = new URL(server.url);
  const url = `http://127.0.0.1:${port}`;
  const signIn = (email: string) => connect({ url, email, password: DEMO_PASSWORD });
  const mira = await signIn(owner.email);
  await mira.rest("PATCH /users/{id}", {
    params: { id: mira.user.id },
    body: { name: owner.name },
  });
  const sam = await ensureUser(mira, visitor);
  const cast = [];
  for (const [index, role] of colleagues.entries()) {
    const { id } = await ensureUser(mira, role);
    const watchfloor = await signIn(role.email);
    const { name, group } = role;
    const random = createRandom(SEED + index);
    cast.push({ watchfloor, actor: { id, name, group, random, now: () => new Date() } });
  }
  await createHistory(cast);
  const wallboard = await findWallboard(mira);
  const display = { id: "demo-wall", name: "Demo wall", boards: [wallboard] };
  await mira.close();
  const working = cast.map(({ watchfloor, actor }) => simulateColleague(watchfloor, actor, signal));
  const page = "/t/incidents";
  return {
    ended: Promise.allSettled(working),
    links: {
      // Two names of one machine: a browser separates their cookies, so both users can sign in.
      mira: `http://localhost:${port}${server.signInPath(mira.user.id, page)}`,
      sam: `http://127.0.0.1:${port}${server.signInPath(sam.id, page)}`,
      wall: `http://localhost:${port}${await server.displayPath(display)}`,
    },
  };
}

interface Links {
  mira: string;
  sam: string;
  wall: string;
}

/** The user, from an earlier demo or new. */
async function ensureUser(by: Watchfloor, { name, email, role, group }: Role): Promise<UserInfo> {
  const { items } = await by.rest("GET /users");
  const known = items.find((user) => user.email === email);
  const user = { name, email, role, attributes: { group }, password: DEMO_PASSWORD };
  return known ?? by.rest("POST /users", { body: user });
}

function printInvitation(server: RunningServer, links: Links): void {
  console.log(`
Watchfloor demo: a service desk at work, with ${colleagues.length} colleagues who do not stop.

  Open these two in two windows, side by side. Each signs you in as somebody else:

    ${owner.name}, owner     ${links.mira}
    ${visitor.name}, editor    ${links.sam}

  And this one on a screen of its own. It is the wall: no login, and it says itself how true it is.

    The wall           ${links.wall}

  Type into a cell in one and look at the other. Then both into the same cell.

  Each link works once. Later, sign in at ${server.url}
  as ${owner.email} or ${visitor.email}, password "${DEMO_PASSWORD}". Ctrl-C ends the demo.
`);
}

/** The template's wallboard, also in a demo from before there was one; returns its id. */
async function findWallboard(by: Watchfloor): Promise<string> {
  const [template] = serviceDeskWallboards;
  if (!template) throw new Error("The service desk has no wallboard.");
  const body = template.document;
  const { items } = await by.rest("GET /wallboards");
  const known = items.find(({ name }) => name === body.name);
  return (known ?? (await by.rest("POST /wallboards", { body }))).id;
}

export const command = defineCommand({
  usage,
  options: { public: { type: "boolean" } },
  run: ({ values }) => run(values.public === true).then(() => 0, describeFailure),
});

function describeFailure(error: unknown): never {
  const isBusy = (error as { code?: string }).code === "EADDRINUSE";
  if (isBusy) console.error("The port is taken. Say another one: PORT=3001 npm run demo");
  else if ([ConfigError, EmbeddedRefusal].some((of) => error instanceof of)) {
    console.error((error as Error).message);
  } else console.error(error);
  process.exit(1);
}
