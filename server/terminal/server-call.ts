import type { SignInCall } from "../../shared/protocol/session.ts";
import { type RestCall, restCaller, send, signIn } from "./rest-call.ts";

/** Shared by command-line tools: they call a running server by REST, as a user, and print sentences. */

/** The server's address, and the credential. */
export interface ServerCall {
  url: string;
  credential: { token: string } | SignInCall;
}

/** The command line lacks something; shown with the usage. */
export class UsageError extends Error {}

/** Options of every command that calls a server, as `parseArgs` takes them. */
export const serverOptions = {
  url: { type: "string" },
  token: { type: "string" },
  email: { type: "string" },
  password: { type: "string" },
  code: { type: "string" },
} as const;

export const serverUsage = `  --url <address>         the running server (http://localhost:3000, or PUBLIC_URL or PORT)
  --token <token>         an API token (WATCHFLOOR_TOKEN keeps it out of the list of processes); create one
                          under My profile, API tokens. Or
  --email --password      your account (WATCHFLOOR_EMAIL, WATCHFLOOR_PASSWORD, or the owner's variables)
  --code <code>           with them, if you have a second factor: of your authenticator app, or for recovery`;

type Environment = Readonly<Record<string, string | undefined>>;

export type ServerOptions = { readonly [Name in keyof typeof serverOptions]?: string };

/** Throws a UsageError without a credential. */
export function readServerCall(values: ServerOptions, environment: Environment): ServerCall {
  const port = environment.PORT ?? "3000";
  const url = values.url ?? environment.PUBLIC_URL ?? `http://localhost:${port}`;
  return { url: url.replace(/\/+$/, ""), credential: readCredential(values, environment) };
}

function readCredential(values: ServerOptions, environment: Environment): ServerCall["credential"] {
  const token = values.token ?? environment.WATCHFLOOR_TOKEN;
  if (token) return { token };
  const of = (name: "EMAIL" | "PASSWORD") =>
    environment[`WATCHFLOOR_${name}`] ?? environment[`WATCHFLOOR_OWNER_${name}`];
  const email = values.email ?? of("EMAIL");
  const password = values.password ?? of("PASSWORD");
  const { code } = values;
  if (email && password) return { email, password, ...(code !== undefined && { code }) };
  throw new UsageError("Sign in with --token, or --email and --password.");
}

/** Time for a call that leaves nothing behind: the server may be gone. */
export const CLEAN_UP_TIMEOUT_MS = 5_000;

/** Runs calls with a token: the given one, or that of a new session, which is ended afterwards. */
export async function withServer<T>(
  { url, credential }: ServerCall,
  run: (rest: RestCall, token: string) => Promise<T>,
): Promise<T> {
  if ("token" in credential) return run(restCaller(url, credential.token), credential.token);
  const { token } = await signIn(url, credential);
  try {
    return await run(restCaller(url, token), token);
  } finally {
    const signal = AbortSignal.timeout(CLEAN_UP_TIMEOUT_MS);
    await send(url, "DELETE /session", { token, signal }).catch(() => undefined);
  }
}
