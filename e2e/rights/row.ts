import type { TestInstallation } from "../harness/test-installation.ts";

/** What a path answers to each kind of caller. */
export interface Row {
  /** The status for each caller but the screen, in the order of `callerNames`. */
  expected: string;
  /**
   * Where the answer holds one result for each op or row, and the status says nothing of them: reads the first
   * result from the body, as `ok` or the code of its error; expected for each caller with status 200.
   */
  results?: { of: (body: never) => string; expected: string };
  /** The status for the credential of a screen; that of a foreign session unless told. */
  screen?: string;
  /** The call's own path, query and body, anew for every caller. */
  call?: (installation: TestInstallation) => Promise<{ path?: string; body?: unknown }>;
}

export const everybodySignedIn = "200 200 200 200 200 401 401";
export const nobodyElse = "403 403 403 401 401";
