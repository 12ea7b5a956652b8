/** A caller of the API like a browser: stores its session cookie, sends its origin. */

export interface ApiAnswer {
  status: number;
  headers: Headers;
  // Tests read answers of every shape; missing properties are undefined.
  body: Record<string, unknown>;
}

export interface ApiClient {
  call(
    method: string,
    path: string,
    body?: unknown,
    headers?: Record<string, string>,
  ): Promise<ApiAnswer>;
  /** The token of the session, if there is one. */
  token(): string | null;
}

/** Strings are sent unchanged, everything else as JSON. With an API token it calls like a program. */
export function apiClient(origin: string, apiToken?: string): ApiClient {
  let cookie: string | null = null;
  return {
    token: () => cookie?.split("=")[1] ?? null,
    async call(method, path, body, headers = {}) {
      const text = typeof body === "string" ? body : JSON.stringify(body);
      const answer = await fetch(origin + path, {
        method,
        headers: {
          ...(body === undefined ? {} : { "content-type": "application/json" }),
          ...(cookie ? { cookie } : {}),
          ...(apiToken === undefined ? { origin } : { authorization: `Bearer ${apiToken}` }),
          ...headers,
        },
        ...(text === undefined ? {} : { body: text }),
      });
      const set = /^(watchfloor_session=[^;]*)/.exec(answer.headers.getSetCookie()[0] ?? "")?.[1];
      if (set) cookie = set.endsWith("=") ? null : set;
      const received = await answer.text();
      return { status: answer.status, headers: answer.headers, body: asJson(received) };
    },
  };
}

function asJson(text: string): Record<string, unknown> {
  try {
    return JSON.parse(text);
  } catch {
    return { text };
  }
}

/** A client that has signed in. */
export async function signedInClient(
  origin: string,
  { email, password }: { email: string; password: string },
): Promise<ApiClient> {
  const client = apiClient(origin);
  const { status } = await client.call("POST", "/api/v1/session", { email, password });
  if (status !== 200) throw new Error(`Signing in was answered by ${status}.`);
  return client;
}
