import type { UserInfo } from "../../../shared/protocol/users.ts";
import { issueLocalReset } from "../../auth/passwords.ts";
import { withStore } from "../backup/open-store.ts";
import { defineCommand, type Parsed } from "../command.ts";
import { printTable } from "../print-table.ts";
import type { RestCall } from "../rest-call.ts";
import {
  readServerCall,
  serverOptions,
  serverUsage,
  UsageError,
  withServer,
} from "../server-call.ts";

/** `watchfloor user`: manages users of a running server, and lets a locked-out owner in again. */

const usage = `watchfloor user list                                       lists the users
watchfloor user invite <email> --role <role> [--name <name>]   adds a user, and prints the link to send to them
watchfloor user disable <email>                            ends their sessions and connections at once
watchfloor user enable <email>
watchfloor user reset-password <email>                     prints a link by which they choose a new password
watchfloor user reset-password <email> --local             the same by the database, if no owner can sign in
watchfloor user reset-factors <email>                      takes away lost second factors

  --role <role>           owner, admin, editor, viewer, or the name of another role
  --local                 use the database of this environment (DATABASE_URL, or the one in DATA_DIR)
${serverUsage}

API tokens change no users: all except list need --email and --password.`;

const options = {
  ...serverOptions,
  role: { type: "string" },
  name: { type: "string" },
  local: { type: "boolean" },
} as const;

type Given = Parsed<typeof options>;
type Values = Given["values"];

const verbs: Record<string, (rest: RestCall, email: string, values: Values) => Promise<void>> = {
  invite,
  async disable(rest, email) {
    await setStatus(rest, email, "disabled");
  },
  async enable(rest, email) {
    await setStatus(rest, email, "active");
  },
  async "reset-password"(rest, email) {
    const { id } = await findUser(rest, email);
    const { link, expires } = await rest("POST /users/{id}/password-reset", { params: { id } });
    printResetLink(email, link, expires);
  },
  async "reset-factors"(rest, email) {
    const { id } = await findUser(rest, email);
    await rest("DELETE /users/{id}/factors", { params: { id } });
    console.log(`${email} has no second factor any more, and is signed out.`);
  },
};

async function run({ positionals: [verb = "", email], values }: Given): Promise<number> {
  if (values.local && verb !== "reset-password") {
    throw new UsageError("--local works with reset-password only.");
  }
  if (verb === "list") {
    await withServer(readServerCall(values, process.env), list);
    return 0;
  }
  const act = Object.hasOwn(verbs, verb) ? verbs[verb] : undefined;
  if (!act) throw new UsageError(`Name one of: list, ${Object.keys(verbs).join(", ")}.`);
  if (email === undefined) throw new UsageError("Name the user's email.");
  if (values.local) return resetLocally(email);
  await withServer(readServerCall(values, process.env), (rest) => act(rest, email, values));
  return 0;
}

async function list(rest: RestCall): Promise<void> {
  const { items } = await rest("GET /users");
  const rows = items.map(({ email, name, role, status, lastSeen }) => [
    email ?? null,
    name,
    role ?? null,
    status,
    lastSeen ?? null,
  ]);
  printTable(
    ["EMAIL", "NAME", "ROLE", "STATUS", "LAST SEEN"],
    rows.sort((a, b) => (a[0] ?? "").localeCompare(b[0] ?? "")),
  );
}

async function invite(rest: RestCall, email: string, { role, name }: Values): Promise<void> {
  if (role === undefined) throw new UsageError("Name the role: --role editor");
  const { items } = await rest("GET /roles");
  const id = items.find((each) => each.id === role || each.name === role)?.id ?? role;
  const body = { email, name: name ?? (email.split("@")[0] || email), role: id };
  const { invitation } = await rest("POST /users", { body });
  console.log(`${email} is invited. Send them this link, which works once:\n${invitation}`);
}

async function setStatus(
  rest: RestCall,
  email: string,
  status: "active" | "disabled",
): Promise<void> {
  const { id } = await findUser(rest, email);
  const { ended } = await rest("PATCH /users/{id}", { params: { id }, body: { status } });
  console.log(`${email} is ${status}.`);
  if (!ended || ended.tokens + ended.webhooks === 0) return;
  const made = `API tokens: ${ended.tokens} revoked. Webhooks: ${ended.webhooks} paused.`;
  console.log(status === "active" ? `${made} They stay so.` : made);
}

async function findUser(rest: RestCall, email: string): Promise<UserInfo> {
  const { items } = await rest("GET /users");
  const found = items.find((user) => user.email?.toLowerCase() === email.toLowerCase());
  if (found) return found;
  throw new UsageError(`There is no user ${email}, or you may not manage users.`);
}

function printResetLink(email: string, link: string, expires: string): void {
  console.log(`By this link ${email} chooses a new password, once, until ${expires}:\n${link}`);
}

/** Whoever can read the database could read every record anyway. It is a security event like any other. */
async function resetLocally(email: string): Promise<number> {
  const done = await withStore({ beside: true }, async ({ database, config }) => {
    const reset = await issueLocalReset(database.kysely, config.limits, email);
    if (!reset) throw new UsageError(`There is no active user ${email}.`);
    const url = config.publicUrl ?? `http://localhost:${config.port}`;
    printResetLink(email, `${url}/password-reset#${reset.token}`, reset.expires);
    return true;
  });
  return done ? 0 : 1;
}

export const command = defineCommand({ usage, options, maxArguments: 2, run });
