/**
 * One way for each purpose: what has a mechanism is not built a second time. Each entry says what to use, what shows another way, and
 * the files that have it for a reason.
 */
interface Way {
  use: string;
  /** Where it is looked for. */
  within: RegExp;
  other: RegExp;
  /** The files that may, with what; all of it where nothing is named. */
  allowed: Readonly<Record<string, readonly string[] | "all">>;
}

// Those whose name is no common word.
const numberTypes = ["integer", "decimal", "money", "percent", "duration"];
const textTypes = ["text", "longText", "email", "url", "phone"];
const fieldType = `(?:${[...numberTypes, ...textTypes, "multiSelect", "person", "link"].join("|")})`;

/** Statements in SQL text on our own tables that the query builder says as well: none of what it can't say is in them. */
const plainStatement = new RegExp(
  [
    /\b(?:rowsOf|rowOf|numberOf|hasRow|execute|wroteRow)(?:<[^`]*?>)?\([\w.]+\)\s*`/,
    /(?!\s*(?:create|drop|alter|lock|set)\b)/,
    /(?![^`]*(?:\b(?:with|join|unnest|lateral|union|exists|locked|case|using|over|filter)\b|jsonb?_|array_|regclass))/,
    /(?![^`]*(?:[()]\s*select\b|\bselect\b[^`]*\bon conflict\b|->|@>|\|\||\binsert\b[^`]*\bselect\b|watchfloor\.\w+\())/,
    /[^`]*(?<!')\bwatchfloor\.["\w]+[^`]*`/,
  ]
    .map(({ source }) => source)
    .join(""),
  "g",
);

const ways: readonly Way[] = [
  {
    use: "the query builder, which knows the columns (server/store/platform-tables.ts)",
    within: /^server\//,
    other: plainStatement,
    allowed: {},
  },
  {
    use: "server/store/identifiers.ts, which quotes what customers named",
    within: /^server\//,
    other:
      /\bsql\.(?:id|table)\(|\bescapeIdentifier\b|\bquote_ident\(\$\{|\bformat\('%I[^)]*\$\{|\.replaceAll\('"', '""'\)/g,
    allowed: {
      "server/store/identifiers.ts": "all",
      // The name of a database, and a folder in a list of settings.
      "server/store/embedded/own-cluster.ts": ["escapeIdentifier"],
      "server/store/embedded/postmaster.ts": [`.replaceAll('"', '""')`],
    },
  },
  {
    use: "the query builder, or rowsOf of server/store/statement.ts",
    within: /^server\/(?!http\/)/,
    // What follows a quote is a part of a match, in a replacement.
    other: /\.query(?:<[^()]*>)?\(|\bCompiledQuery\b|(?<!")\$[1-9]\b/g,
    allowed: {
      // The commit path: statements that stay prepared, many in one packet, on a connection of its own (batch.ts).
      "server/store/batch.ts": "all",
      "server/store/finalize.ts": "all",
      "server/store/key-holders.ts": "all",
      "server/store/load-for-write.ts": "all",
      "server/store/mutations.ts": "all",
      "server/store/prepared-text.ts": "all",
      "server/store/seed.ts": "all",
      "server/store/taken-numbers.ts": "all",
      "server/store/write-session.ts": "all",
      // Reads of the log that stay prepared, or run within a commit as well.
      "server/store/change-history.ts": "all",
      "server/store/feed-log.ts": "all",
      // Connections of their own, which hold locks, listen, copy or build.
      "server/store/advisory-lock.ts": "all",
      "server/store/backup/copy-stream.ts": "all",
      "server/store/change-notifier.ts": "all",
      "server/store/database-server.ts": "all",
      "server/store/ddl/builder-lock.ts": "all",
      "server/store/ddl/complete-tables.ts": "all",
      "server/store/ddl/run-patiently.ts": "all",
      "server/store/embedded/own-cluster.ts": "all",
      "server/store/embedded/start-embedded-postgres.ts": "all",
    },
  },
  {
    use: "client/src/transport/storage/browser-storage.ts, which survives that the browser refuses it",
    within: /^client\//,
    // Also by Mantine's hooks, and what Chrome refuses together with it.
    other:
      /\b(?:localStorage|sessionStorage|indexedDB|cookieStore|caches|BroadcastChannel|use(?:Local|Session)Storage|localStorageColorSchemeManager)\b|\bdocument\.cookie\b|\bnavigator\.(?:storage|locks|serviceWorker)\b/g,
    allowed: {
      "client/src/transport/storage/browser-storage.ts": "all",
      // Runs before any module, so that the page is not drawn in the wrong colours.
      "client/public/first-paint.js": ["localStorage"],
      "client/public/display-worker.js": ["caches"],
      "client/src/display/machine/service-worker.ts": ["navigator.serviceWorker"],
      "client/src/transport/browser-tab-lease.ts": ["navigator.locks"],
    },
  },
  {
    use: "the palette, client/src/ui/palette.css",
    within: /^client\/src\/.*\.css$/,
    other: /#[\da-f]{3,8}\b|\b(?:rgb|hsl|hwb|lab|lch|oklab|oklch)a?\(/gi,
    allowed: { "client/src/ui/palette.css": "all" },
  },
  {
    use: "a variable of the palette, client/src/ui/palette.css",
    within: /^client\/src\/.*\.tsx?$/,
    // A private name may look like a colour, but is in no quotes.
    other: /(?<=["'`: ])#[\da-f]{3,8}(?=["'`])|\b(?:rgb|hsl|hwb|oklab|oklch)a?\(/gi,
    allowed: {},
  },
  {
    use: "the scale of client/src/ui/palette.css: --wf-font-11 to -28, the weights 400 and 600, --wf-radius-4, -6 and -10",
    within: /^client\/src\/.*\.css$/,
    // What grows with its tile or screen is in units of that.
    other:
      /\bfont-size:\s*[\d.]+(?:px|rem)|\bfont-weight:\s*(?!400|600|inherit)[\w(-]+|\bborder(?:-\w+)*-radius:[^;]*?(?<![\w.-])[1-9][\d.]*(?:px|rem)|\bradius:\s*var\(--mantine[^)]*\)/g,
    allowed: {},
  },
  {
    use: "the scale of client/src/app/theme.ts: fz and bdrs by name, the weights 400 and 600, icon buttons of 24, 28, 32 or 36",
    within: /^client\/src\/.*\.tsx?$/,
    other:
      /\bfz(?:=|: )\{?"?[\d.]+|\bfw(?:=\{|: )(?!400|600)\d+|\bfont(?:Size|Weight): "?(?!400|600)[\d.]+(?:rem|px)?|\bbdrs(?:=\{|: )[\d]+|<(?:ActionIcon|IconButton)\b[^>]*?size=\{(?!24|28|32|36)\d+\}/g,
    allowed: {},
  },
  {
    use: "the traits of shared/model/field-types.ts: a list of types forgets the next one",
    within: /^(?:client\/src|server|shared)\//,
    other: new RegExp(`"${fieldType}",\\s*"${fieldType}"|\\b${fieldType}\\|${fieldType}\\b`, "g"),
    allowed: {
      // Types that a column of a file can become, in the order of the choices.
      "client/src/features/model/from-file/propose-field.ts": "all",
      "client/src/records/file-import/file-format.ts": "all",
      // In the order of how few values they usually have.
      "client/src/features/wallboards/form/tile-fields.ts": "all",
    },
  },
  {
    use: "the queues of server/load/budget.ts: a user's share counts in all of them",
    within: /^server\//,
    other: /\bclass \w*(?:Queue|Turns|Semaphore|Limiter|Pool)\b/g,
    allowed: {
      "server/load/budget.ts": "all",
      // Groups in the turns of the budget, and bounded in bytes.
      "server/commands/commit-queue.ts": "all",
    },
  },
  {
    use: "shared/listeners.ts",
    within: /^(?:client\/src|server|shared)\//,
    other: /\bof (?:this\.#)?(?:listeners|watchers|subscribers|callbacks)\) \w+\(/g,
    allowed: {},
  },
  {
    use: "shared/listeners.ts, or an atom (client/src/state)",
    within: /^(?:client\/src|server|shared)\//,
    other: /\bEventEmitter\b|\bEventTarget\(/g,
    allowed: {},
  },
  {
    use: "FieldEdit (client/src/records/fields/field-edit.ts), which ends every edit of a field and loses no text",
    within: /^client\/src\/(?!sync\/)/,
    other: /\.(?:setTyping|holdTyped)\(/g,
    allowed: {
      "client/src/records/fields/field-edit.ts": "all",
      // A comment is no field: it is sent as a whole.
      "client/src/features/record/comments/use-draft.ts": [".setTyping("],
    },
  },
  {
    use: "client/src/records/fields/value-parts.ts, which says how a value looks",
    within: /^client\/src\/.*\.tsx?$/,
    other: /(?<=["'` ])wf-(?:badges?|user|link)(?=["'` ])/g,
    allowed: { "client/src/records/fields/value-parts.ts": "all" },
  },
  {
    use: "the calendar of client/src/records/fields/day-picker.tsx",
    within: /^client\/src\//,
    other: /\btype="(?:date|time|datetime-local)"|\.showPicker\(/g,
    // The span of a list, which is no field of a record.
    allowed: { "client/src/features/activity/activity-filters.tsx": "all" },
  },
  {
    use: "SharedDocument (client/src/sync/documents/shared-document.ts), which has draft, undo, conflicts and storage",
    within: /^client\/src\//,
    other: /\bnew (?:EditHistory|DraftStorage)\b/g,
    allowed: {
      "client/src/sync/documents/shared-document.ts": "all",
      // A queue of edits, each sent and refused alone (docs/adr/0033-documents.md).
      "client/src/sync/wallboards/wallboard-draft.ts": ["new EditHistory"],
      // Its one storage, for all documents.
      "client/src/sync/create-client-core.ts": ["new DraftStorage"],
    },
  },
  {
    use: "client/src/ui/use-remote.ts, which reads upon notices, or use-repeat.ts for what none announces",
    within: /^client\/src\/(?:access|app|features|records|tiles|ui)\//,
    other: /\bsetInterval\(/g,
    allowed: {
      "client/src/ui/use-repeat.ts": "all",
      // These draw anew what time alone changes.
      "client/src/ui/ago.tsx": "all",
      "client/src/features/grid/look/colour-rules.ts": "all",
      "client/src/features/grid/keys/pointer-range.ts": "all",
    },
  },
  {
    use: "client/src/ui/toast.tsx",
    within: /^client\/src\//,
    other: /from "@mantine\/notifications"/g,
    allowed: {
      "client/src/ui/toast.tsx": "all",
      // Their place in the page.
      "client/src/app/app.tsx": "all",
    },
  },
  {
    use: "client/src/ui/titled-popover.tsx, of one of two widths and with a title, or popover-beside.tsx, beside what something else draws",
    within: /^client\/src\//,
    other: /<Popover[\s>]/g,
    allowed: {
      "client/src/ui/titled-popover.tsx": "all",
      "client/src/ui/popover-beside.tsx": "all",
      // The list and the calendar of an input, which keeps the focus.
      "client/src/records/fields/combo-box.tsx": "all",
      "client/src/records/fields/day-picker.tsx": "all",
      // Follows the pointer, and never has the focus.
      "client/src/features/grid/links/link-card.tsx": "all",
      // A form in the cell of a preview.
      "client/src/records/change-sets/preview-row.tsx": "all",
    },
  },
  {
    use: "client/src/ui/page.tsx, which has the one heading of a screen, or notice.tsx for what is empty, missing or failed",
    within: /^client\/src\/(?!display\/)/,
    other: /<h1[\s>]|component="h1"|<Title order=\{1\}/g,
    allowed: {
      "client/src/ui/page.tsx": "all",
      "client/src/ui/sign-in-layout.tsx": "all",
      // The name of what fills the whole screen, for screen readers only.
      "client/src/features/board/board-bar.tsx": "all",
      "client/src/features/wallboards/wallboard-screen.tsx": "all",
      // The name of what is edited, in the bar above it.
      "client/src/features/wallboards/designer/designer-bar.tsx": "all",
    },
  },
  {
    use: "client/src/ui/confirm-dialog.tsx",
    within: /^client\/src\//,
    other: /(?<![\w.#])(?:(?:window|globalThis)\.)?(?:alert|confirm|prompt)\((?!\))/g,
    allowed: {},
  },
  {
    use: "the clock of the core (client/src/sync/clock.ts), so that a seed repeats a run",
    within: /^client\/src\/sync\//,
    other: /\bDate\.now\(\)|\bMath\.random\(\)|(?<!\.)\bset(?:Timeout|Interval)\(/g,
    allowed: {
      "client/src/sync/clock.ts": "all",
      // For screens only.
      "client/src/sync/calls/account.ts": ["setTimeout("],
      "client/src/sync/calls/target-labels.ts": "all",
      "client/src/sync/page/follow-tables.ts": ["setTimeout("],
    },
  },
  {
    use: "isTransient of shared/protocol/errors.ts",
    within: /^(?:client\/src|server|shared)\//,
    other: /"unavailable" \|\| [\w.]+ === "rate_limited"/g,
    allowed: { "shared/protocol/errors.ts": "all" },
  },
  {
    use: "server/config/settings.ts, which names, checks and documents every variable",
    within: /^(?:server|shared)\//,
    other: /\bprocess\.env\b/g,
    allowed: {
      "server/config/config.ts": "all",
      "server/start-command.ts": "all",
      // What another program is given.
      "server/demo/demo-command.ts": "all",
      "server/store/embedded/run-postgres.ts": "all",
      "server/store/embedded/start-embedded-postgres.ts": "all",
      // Commands, whose variables stand in for options.
      "server/terminal/backup/move-command.ts": "all",
      "server/terminal/command.ts": "all",
      "server/terminal/doctor/doctor-command.ts": "all",
      "server/terminal/export/export-command.ts": "all",
      "server/terminal/import/import-command.ts": "all",
      "server/terminal/model/model-command.ts": "all",
      "server/terminal/users/token-command.ts": "all",
      "server/terminal/users/user-command.ts": "all",
    },
  },
  {
    use: "client/src/transport/socket-connection.ts",
    within: /^client\/src\//,
    other: /from "socket\.io-client"/g,
    allowed: { "client/src/transport/socket-connection.ts": "all" },
  },
  {
    use: "client/src/state, from which screens take atoms",
    within: /^client\/src\/(?!state\/)/,
    other: /from "jotai[^"]*"/g,
    allowed: {},
  },
  {
    use: "the bus (server/messaging/bus-channel.ts)",
    within: /^server\//,
    other: /from "redis"/g,
    allowed: {
      "server/relay/bus/redis-link.ts": "all",
      "server/relay/bus/probe-redis.ts": "all",
    },
  },
  {
    use: "server/store/change-notifier.ts",
    within: /^server\//,
    other: /\bpg_notify\b|`listen \$/g,
    allowed: {
      "server/store/change-notifier.ts": "all",
      // In the transaction that breaks the epoch, and in triggers.
      "server/store/capture.ts": ["pg_notify"],
      "server/store/schema/change-log.ts": ["pg_notify"],
      "server/store/schema/notifications.ts": ["pg_notify"],
      "server/store/schema/platform.ts": ["pg_notify"],
    },
  },
  {
    use: "noFill of client/src/ui/no-fill.ts: only what a password manager should fill is without, and says what it is",
    within: /^client\/src\/.*\.tsx$/,
    // To the end of the tag, which is no arrow.
    other:
      /<(?:TextInput|PasswordInput|Textarea|MultiSelect|input|textarea|Spotlight)(?=\s)(?!(?:=>|[^>])*?(?:\.\.\.noFill|autoComplete=(?:"(?!off)|\{)|\breadOnly\b|type="(?:checkbox|radio|file|color|range|date\b|datetime-local)"))/g,
    allowed: {
      // With the marks among the look of all inputs of fields.
      "client/src/records/fields/field-input.tsx": "all",
      "client/src/records/fields/combo-box.tsx": "all",
    },
  },
  {
    use: "client/src/transport/rest/rest.ts",
    within: /^client\/src\//,
    other: /\bfetch\(|new XMLHttpRequest\b/g,
    allowed: {
      "client/src/transport/rest/rest.ts": "all",
      // The progress of a file that is sent.
      "client/src/transport/send-file.ts": "all",
      // Whether the server is there at all, where nothing else of the page may have arrived.
      "client/src/transport/socket-connection.ts": "all",
      "client/src/transport/rest/build.ts": "all",
      // The wall has neither session nor console.
      "client/src/display/core/server-request.ts": "all",
      "client/src/display/core/player-updater.ts": "all",
    },
  },
  {
    use: "client/src/records/fields/number-text.ts, instant.ts or client/src/ui/numbers.ts, which have the user's language",
    within: /^client\/src\//,
    other: /\bnew Intl\.(?:Number|DateTime)Format\b|\.toLocale(?:Date|Time)?String\(/g,
    allowed: {
      "client/src/ui/numbers.ts": "all",
      "client/src/records/fields/number-text.ts": "all",
      "client/src/records/fields/instant.ts": "all",
      "client/src/records/fields/date-vocabulary.ts": "all",
      // Times of another zone than the user's.
      "client/src/tiles/tile-text.ts": "all",
      "client/src/records/summary/summary-text.ts": "all",
      "client/src/features/grid/groups/extra-row-view.ts": "all",
      // Headings with the name of the day.
      "client/src/features/dashboard/dashboard-screen.tsx": "all",
      "client/src/features/activity/activity-labels.ts": "all",
    },
  },
];

/** Where a file builds a second time what has a mechanism, with what to use. Comments don't count. */
export function otherWays(file: string, text: string): string[] {
  const code = text.replace(/\/\*[\s\S]*?\*\/|(?<![:"'`])\/\/.*$/gm, "");
  return ways.flatMap(({ use, within, other, allowed }) => {
    const may = allowed[file] ?? [];
    if (!within.test(file) || may === "all") return [];
    const found = [...code.matchAll(other)].map(([name]) => name);
    return found
      .filter((name) => !may.includes(name))
      .map((name) => `${file}: ${name}: use ${use}`);
  });
}

/** Files that an entry allows and that no longer need it. */
export function needlessAllowances(read: (file: string) => string | null): string[] {
  return ways.flatMap(({ other, allowed }) =>
    Object.keys(allowed).filter((file) => {
      const text = read(file);
      return text === null || text.search(other) < 0;
    }),
  );
}
