/**
 * The parts of `npm run proof`. Every randomised test runs there in its long form, and every test on both versions of Postgres. A part
 * takes at most 30 minutes on two idle cores. proof-parts.test.ts asserts that every `*.proof.ts`, and every `*.test.ts` with a long form,
 * is in exactly one part.
 */
export interface ProofPart {
  readonly name: string;
  readonly about: string;
  /** Matches the paths of its test files, from the repository's top. */
  readonly files?: RegExp;
  /** Of these files, the tests whose name matches, where one file has several parts. */
  readonly tests?: string;
  /** Names of benches (bench/main.ts). They run alone, each beside its floor. */
  readonly benches?: readonly string[];
  /** One file at a time, for what measures the machine itself. */
  readonly alone?: boolean;
  /**
   * The fault of the product that its long form still finds. Until that is fixed, the part is not run in turn, because CI would be red
   * then; `npm run proof -- NAME` runs it.
   */
  readonly openFault?: string;
}

/** Fine-grained browser tests whose names begin with one of the words. */
const inBrowser = (words: string) => new RegExp(`^e2e/browser/(?:${words})[a-z-]*\\.proof\\.ts$`);

/** Names of the parts of a bench. */
const parts = (bench: string, words: string) => words.split(" ").map((word) => `${bench}:${word}`);

export const proofParts: readonly ProofPart[] = [
  {
    name: "grid-cells",
    about: "the grid in the browser: cells, keys, ranges, clipboard",
    files: inBrowser(
      "grid-(?:choice|clip|colleague|typing|drafts|find|focus|habits|keys|lines|new|paste|range|ranges|replace|traverse)|editors|input|locked|typed",
    ),
  },
  {
    name: "grid-rows",
    about: "the grid in the browser: rows, groups, looks, filters, a phone",
    files: inBrowser(
      "grid-(?:groups|look|manual|open|order|presence|published|rights|rows|summary|ticked|total|touch|width)|bulk|filter|full|phone|slow|transition|two-servers|undo-after|view",
    ),
  },
  ...[1, 2, 3, 4].map((quarter) => ({
    name: `typing-${quarter}`,
    about: "500 random series of keys that don't wait for the page, against a pure reference",
    files: /^e2e\/browser\/typing-series\.test\.ts$/,
    tests: quarter === 1 ? "has its place|quarter 1" : `quarter ${quarter}`,
  })),
  {
    name: "screens",
    about: "the other screens of the console in the browser, and both themes' accessibility",
    files: inBrowser(
      "accessibility|activity|api|assistive|blocked|board|change-sets|comments|dashboard|import|inbox|keyboard|killed|language|late|lazy|linked|load|looks|model|new-record|newcomer|obstacles|odd|palette|panel|password|record|restored|roles|screens|second|set-up|shell|sign|system|tokens|translated|users|ward|webhooks|wallboard|displays",
    ),
  },
  {
    name: "server",
    about:
      "the server and its storage on both versions of Postgres, with the long form of its random tests",
    files: /^(?:server|bench)\/.*\.(?:test|proof)\.ts$/,
  },
  {
    name: "faults",
    about:
      "kills, cuts, other programs, starts, guides and write paths on both versions of Postgres",
    files:
      /^e2e\/(?:docs\/(?:guides|sql)|faults(?!\/bulk)|start|webhooks|notifications|write-paths|tiles|client-package|programs|provision|browser\/(?:upgrade|wall-freshness)).*\.(?:test|proof)\.ts$/,
  },
  {
    name: "bulk-writes",
    about: "a transaction of a million rows of another program while ten users edit",
    files: /^e2e\/faults\/bulk-write\.proof\.ts$/,
    alone: true,
  },
  {
    name: "rights",
    about: "random sequences of rights, the canary, attacks",
    files: /^e2e\/(?:rights|attacks)\/.*\.(?:test|proof)\.ts$/,
  },
  {
    name: "convergence",
    about:
      "400 seeds of several browsers, on one server and on two; random steps of features that cross each other",
    files: /^e2e\/(?:convergence|crossings)\/.*\.test\.ts$/,
  },
  {
    name: "wall",
    about: "24 hours of a wallboard, accelerated",
    files: /^e2e\/browser\/wall-soak\.test\.ts$/,
    alone: true,
  },
  {
    name: "frames",
    about: "frames of the grid under load, and of large models",
    files: inBrowser("grid-performance|large"),
    alone: true,
  },
  {
    name: "bench-edits",
    about: "benches of edits, their latency and fan-out",
    benches: [
      "edit-latency",
      "edits-per-second",
      "fan-out",
      "cut-lines",
      "cold-start",
      "idle",
      "watched-view",
    ],
  },
  {
    name: "bench-reads",
    about: "benches of pages, summaries, catch-up, wallboards and memory",
    benches: ["first-page", "summary", "catch-up", "scopes", "wallboards", "tab-memory"],
  },
  {
    name: "bench-bulk",
    about: "benches of imports, change sets, backups and messages between servers",
    benches: ["import", "change-sets", "backup", "bus-messages"],
  },
  {
    name: "bench-floods",
    about: "benches of one user who floods a server",
    // Each alone, so that only what missed is measured again.
    benches: parts(
      "flood",
      "accepted-edits accepted-edits-elsewhere refused-edits REST-edits REST-reads socket-reads summaries exports activity change-sets comments sign-ins presence tile-evaluations imports sockets-that-do-not-read",
    ),
  },
  {
    name: "bench-attacks",
    about: "benches of somebody who wants to stop or fill a server",
    benches: parts(
      "attacks",
      "bad-bodies messages-of-many-arguments connections-of-strangers sockets-of-one-user answers-that-are-not-read stored-bytes descriptions-of-the-API",
    ),
  },
];

/** Whether a test file belongs to a part. */
export function isInPart({ files }: ProofPart, file: string): boolean {
  return files?.test(file) ?? false;
}
