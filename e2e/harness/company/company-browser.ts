/** A browser between the console and its providers: it stores the cookies of each, and follows only where a test says so. */
export class CompanyBrowser {
  readonly #origin: string;
  readonly #publicUrl: string;
  readonly #cookies = new Map<string, Map<string, string>>();

  /** The console is at `origin`, and calls itself `publicUrl`. */
  constructor(origin: string, publicUrl: string) {
    this.#origin = origin;
    this.#publicUrl = publicUrl;
  }

  /** The token of the session, if there is one. */
  get session(): string | null {
    return this.#jar(this.#origin).get("watchfloor_session") ?? null;
  }

  /** Begins at the console: the address at the provider. */
  async begin(provider: string, returnTo?: string): Promise<string> {
    const query = returnTo === undefined ? "" : `?returnTo=${encodeURIComponent(returnTo)}`;
    const { location } = await this.get(`${this.#origin}/sign-in/${provider}${query}`);
    return location.startsWith(`${this.#publicUrl}/sign-in/`) ? this.comeBack(location) : location;
  }

  /** Signs in at the provider: the address at which it hands back. */
  async atProvider(address: string): Promise<string> {
    let at = address;
    for (let steps = 0; !at.startsWith(this.#publicUrl); steps += 1) {
      if (steps > 10) throw new Error(`The provider does not hand back: ${at}`);
      const { location, status, text } = await this.get(at);
      if (!location) throw new Error(`The provider answered ${status}: ${text.slice(0, 500)}`);
      at = new URL(location, at).href;
    }
    return at;
  }

  /** Comes back to the console: where it leads. */
  async comeBack(address: string): Promise<string> {
    return (await this.get(this.#origin + address.slice(this.#publicUrl.length))).location;
  }

  /** All of it. */
  async signIn(provider: string, returnTo?: string): Promise<string> {
    return this.comeBack(await this.atProvider(await this.begin(provider, returnTo)));
  }

  /** Goes on from an address at the provider that a call has answered. */
  async goOn(location: string): Promise<string> {
    return this.comeBack(await this.atProvider(location));
  }

  /** As after the browser's session at the providers has ended. */
  forgetProviders(): void {
    for (const origin of this.#cookies.keys()) {
      if (origin !== new URL(this.#origin).origin) this.#cookies.delete(origin);
    }
  }

  /** A call of the API, as a page of the console makes it. */
  async call(method: string, path: string, body?: unknown) {
    const answer = await this.#send(`${this.#origin}/api/v1${path}`, {
      method,
      headers: {
        origin: this.#origin,
        ...(body !== undefined && { "content-type": "application/json" }),
      },
      ...(body !== undefined && { body: JSON.stringify(body) }),
    });
    const text = await answer.text();
    return { status: answer.status, body: text === "" ? {} : JSON.parse(text) };
  }

  /** Signs out at the provider's own page. */
  async signOutAtProvider(issuer: string): Promise<void> {
    const { text } = await this.get(`${issuer}/session/end`);
    const xsrf = /name="xsrf" value="([^"]+)"/.exec(text)?.[1] ?? "";
    const body = new URLSearchParams({ xsrf, logout: "yes" });
    await (await this.#send(`${issuer}/session/end/confirm`, { method: "POST", body })).text();
  }

  /** Why the last sign-in was refused. */
  async problem(): Promise<string | null> {
    const { body } = await this.call("GET", "/sign-in-methods");
    return body.problem?.reason ?? body.problem?.code ?? null;
  }

  async get(address: string) {
    const answer = await this.#send(address, {});
    const { status, headers } = answer;
    return { status, location: headers.get("location") ?? "", text: await answer.text() };
  }

  async #send(address: string, options: RequestInit): Promise<Response> {
    const jar = this.#jar(new URL(address).origin);
    const cookie = [...jar].map(([name, value]) => `${name}=${value}`).join("; ");
    const headers = { ...options.headers, ...(cookie && { cookie }) };
    const answer = await fetch(address, { ...options, headers, redirect: "manual" });
    for (const line of answer.headers.getSetCookie()) {
      const [name = "", value = ""] = (line.split(";")[0] ?? "").split(/=(.*)/s);
      if (value === "") jar.delete(name);
      else jar.set(name, value);
    }
    return answer;
  }

  #jar(origin: string): Map<string, string> {
    const jar = this.#cookies.get(origin) ?? new Map<string, string>();
    this.#cookies.set(origin, jar);
    return jar;
  }
}
