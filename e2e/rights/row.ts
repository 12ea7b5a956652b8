import type { TestInstallation } from "../harness/test-installation.ts";

/** What a path answers to each kind of caller. */
export interface Row {
  /** The status for each caller except the display and the tokens, in the order of `callerNames`. */
  expected: string;
  /**
   * If the answer contains one result for each op or row, and the status does not reflect them: reads the
   * first result from the body, as `ok` or the code of its error; expected for each caller with status 200.
   */
  results?: { of: (body: never) => string; expected: string };
  /** The status for the credential of a display; by default that of another user's session. */
  screen?: string;
  /** The status for an API token; by default that of the user whose rights it has. */
  ofToken?: string;
  /** The call's own path, query and body, made again for every caller. */
  call?: (installation: TestInstallation) => Promise<{ path?: string; body?: unknown }>;
}

export const everybodySignedIn = "200 200 200 200 200 401 401";
export const nobodyElse = "403 403 403 401 401";
