/**
 * What the commands of a terminal share: they speak to a running server by REST, as a person who may,
 * and answer with sentences.
 */

/** How the server is reached, and who asks. */
export interface ServerCall {
  url: string;
  credential: { token: string } | { email: string; password: string };
}

/** The command line does not say what is needed; the usage is shown with it. */
export class UsageError extends Error {}

/** The server said no, or does not answer: a sentence for the person at the terminal. */
export class ServerError extends Error {
  /** The body of the answer, where there was one. */
  readonly body: Readonly<Record<string, unknown>>;

  constructor(message: string, body: Readonly<Record<string, unknown>> = {}) {
    super(message);
    this.body = body;
  }
}

/** Options of every command that speaks to a server, as `parseArgs` takes them. */
export const serverOptions = {
  url: { type: "string" },
  token: { type: "string" },
  email: { type: "string" },
  password: { type: "string" },
} as const;

export const serverUsage = `  --url <address>         the running server (http://localhost:3000, or PUBLIC_URL or PORT)
  --token <token>         who asks (WATCHFLOOR_TOKEN), or
  --email --password      (WATCHFLOOR_EMAIL, WATCHFLOOR_PASSWORD, or the owner's variables)`;

type Environment = Readonly<Record<string, string | undefined>>;

/** Throws a UsageError where nothing says who asks. */
export function readServerCall(
  values: { url?: string; token?: string; email?: string; password?: string },
  environment: Environment,
): ServerCall {
  const port = environment.PORT ?? "3000";
  const url = values.url ?? environment.PUBLIC_URL ?? `http://localhost:${port}`;
  return { url: url.replace(/\/+$/, ""), credential: readCredential(values, environment) };
}

function readCredential(
  values: { token?: string; email?: string; password?: string },
  environment: Environment,
): ServerCall["credential"] {
  const token = values.token ?? environment.WATCHFLOOR_TOKEN;
  if (token) return { token };
  const of = (name: "EMAIL" | "PASSWORD") =>
    environment[`WATCHFLOOR_${name}`] ?? environment[`WATCHFLOOR_OWNER_${name}`];
  const email = values.email ?? of("EMAIL");
  const password = values.password ?? of("PASSWORD");
  if (email && password) return { email, password };
  throw new UsageError("Say who asks: --token, or --email and --password.");
}

/** A token for the calls that follow: the one that was given, or that of a new session. */
export async function tokenFor({ url, credential }: ServerCall): Promise<string> {
  if ("token" in credential) return credential.token;
  const answer = await ask(url, "/session", {
    method: "POST",
    headers: { "content-type": "application/json" },
    body: JSON.stringify(credential),
  });
  await answer.body?.cancel();
  return /=([^;]+)/.exec(answer.headers.getSetCookie()[0] ?? "")?.[1] ?? "";
}

/** A call of the REST interface; `path` is below `/api/v1`. Whatever is not well is a ServerError. */
export async function ask(
  server: string,
  path: string,
  request: RequestInit & { duplex?: "half" },
): Promise<Response> {
  const answer = await fetch(`${server}/api/v1${path}`, request).catch(
    (error: Error & { cause?: Error }) => {
      const why = error.cause?.message ?? error.message;
      throw new ServerError(
        `${server} does not answer (${why}). Start the server (npm start) or name it with --url.`,
      );
    },
  );
  if (answer.ok) return answer;
  const problem = (await answer.json().catch(() => ({}))) as { message?: string };
  throw new ServerError(problem.message ?? `The server answered ${answer.status}.`, problem);
}
