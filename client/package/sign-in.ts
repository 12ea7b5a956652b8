import { openSession, type RestCaller, restWith } from "../src/transport/rest/rest.ts";

/** An API token (`wf_…`), or that of a session. */
interface ByToken {
  token: string;
  email?: never;
  password?: never;
  code?: never;
}

/** An account; `code` of the authenticator app, where the user has one. `close()` ends the session. */
interface ByPassword {
  token?: never;
  email: string;
  password: string;
  code?: string;
}

/** In a page at the server's own address: the user who is signed in there. */
interface ByPage {
  token?: never;
  email?: never;
  password?: never;
  code?: never;
}

export type Credential = ByToken | ByPassword | ByPage;

export interface SignedIn {
  caller: RestCaller;
  /** Ends the session, if it was opened here. */
  signOut(): Promise<void>;
}

/** Opens a session if the credential is a password. */
export async function signIn(url: string, credential: Credential): Promise<SignedIn> {
  if (credential.email === undefined) {
    const { token } = credential;
    return { caller: { url, ...(token !== undefined && { token }) }, signOut: async () => {} };
  }
  const { email, password, code } = credential;
  const token = await openSession(url, { email, password, ...(code !== undefined && { code }) });
  // Scripts can't read the cookie of a browser; the browser sends it by itself.
  const caller = { url, ...(token !== "" && { token }) };
  return { caller, signOut: () => restWith(caller)("DELETE /session").catch(() => undefined) };
}
