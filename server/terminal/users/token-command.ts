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

/** `watchfloor token`: manages API tokens of a running server. */

const usage = `watchfloor token list                          lists your API tokens, or with the right everybody's
watchfloor token create <name> [options]       prints a new API token, once
watchfloor token revoke <name or id>           its connections end within a second

  --role <role>           fewer rights than yours: a role's name
  --expires <days>        after so many days (90), or: never
${serverUsage}

API tokens manage no API tokens: this needs --email and --password.`;

const options = {
  ...serverOptions,
  role: { type: "string" },
  expires: { type: "string" },
} as const;

type Given = Parsed<typeof options>;
type Values = Given["values"];

const DAY_MS = 86_400_000;

const verbs: Record<string, (rest: RestCall, name: string, values: Values) => Promise<void>> = {
  create,
  revoke,
};

async function run({ positionals: [verb = "", name], values }: Given): Promise<number> {
  const act = Object.hasOwn(verbs, verb) ? verbs[verb] : undefined;
  if (!act && verb !== "list") throw new UsageError("Name one of: list, create, revoke.");
  if (act && name === undefined) throw new UsageError("Name the token.");
  await withServer(readServerCall(values, process.env), async (rest) => {
    if (act && name !== undefined) await act(rest, name, values);
    else await list(rest);
  });
  return 0;
}

async function list(rest: RestCall): Promise<void> {
  const { items } = await rest("GET /tokens");
  const rows = items.map((token) => [
    token.id,
    token.name,
    `${token.prefix}…`,
    token.creator.name,
    token.roleName,
    token.state,
    token.expiresAt,
    token.lastUsed,
  ]);
  const headings = ["ID", "NAME", "TOKEN", "CREATOR", "ROLE", "STATE", "EXPIRES", "LAST USED"];
  printTable(headings, rows);
}

async function create(rest: RestCall, name: string, { role, expires }: Values): Promise<void> {
  const body = { name, ...(await roleOf(rest, role)), ...expiryOf(expires) };
  const { token } = await rest("POST /tokens", { body });
  console.error("The token is shown this once:");
  console.log(token);
}

async function roleOf(rest: RestCall, role: string | undefined): Promise<{ role?: string }> {
  if (role === undefined) return {};
  const { items } = await rest("GET /roles");
  return { role: items.find((each) => each.name === role)?.id ?? role };
}

function expiryOf(days: string | undefined): { expiresAt?: string | null } {
  if (days === undefined) return {};
  if (days === "never") return { expiresAt: null };
  if (!/^[1-9]\d{0,4}$/.test(days))
    throw new UsageError("--expires takes a number of days, or never.");
  return { expiresAt: new Date(Date.now() + Number(days) * DAY_MS).toISOString() };
}

async function revoke(rest: RestCall, name: string): Promise<void> {
  const { items } = await rest("GET /tokens");
  const found = items.filter((token) => token.id === name || token.name === name);
  const [token] = found;
  if (!token) throw new UsageError(`There is no token "${name}" that you may revoke.`);
  if (found.length > 1) {
    throw new UsageError(`${found.length} tokens are called "${name}". Name the id (token list).`);
  }
  await rest("DELETE /tokens/{id}", { params: { id: token.id } });
  console.log(`${token.name} (${token.prefix}…) is revoked.`);
}

export const command = defineCommand({ usage, options, maxArguments: 2, run });
