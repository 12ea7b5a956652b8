import { backup } from "./backup.ts";
import { busMessages } from "./bus-messages.ts";
import { catchUp } from "./catch-up.ts";
import { changeSets } from "./change-sets.ts";
import { coldStart } from "./cold-start.ts";
import { cutLines } from "./cut-lines.ts";
import { editLatency, editLatencyBenches } from "./edit-latency.ts";
import { editsPerSecond, editsPerSecondBenches } from "./edits-per-second.ts";
import { fanOut } from "./fan-out.ts";
import { firstPage } from "./first-page.ts";
import { attacks, flood, floodBenches } from "./flood.ts";
import { growthBenches } from "./growth.ts";
import { idle } from "./idle.ts";
import { importBeside, importFiles } from "./import-files.ts";
import { type Finding, printFindings, verdictOf } from "./load/report.ts";
import { scopes } from "./scopes.ts";
import { summary } from "./summary.ts";
import { sustained } from "./sustained.ts";
import { tabMemory } from "./tab-memory.ts";
import { ownWallboards, wallboards } from "./wallboards.ts";
import { watchedView } from "./watched-view.ts";

/**
 * `npm run bench [-- --json] [name …]`: one bench for each aspect of speed. Floor and product alternate on
 * the same machine, because machines differ: the ratio is the result. Exits with 1 if a target is lost
 * (report.ts). With `--json` the results are printed as one JSON document and nothing else.
 */
const benches: Record<string, () => Promise<Finding[]>> = {
  "edit-latency": editLatency,
  "edits-per-second": editsPerSecond,
  "fan-out": fanOut,
  "first-page": firstPage,
  summary,
  "tab-memory": tabMemory,
  "catch-up": catchUp,
  "cut-lines": cutLines,
  "cold-start": coldStart,
  scopes,
  wallboards,
  "bus-messages": busMessages,
  idle,
  "watched-view": watchedView,
  import: importFiles,
  "change-sets": changeSets,
  backup,
  flood,
  attacks,
};

/** Parts and variants, each run only where it is named. */
const parts: typeof benches = {
  ...floodBenches,
  ...editLatencyBenches,
  ...editsPerSecondBenches,
  ...growthBenches,
  sustained,
  "import:beside": importBeside,
  "own-wallboards": ownWallboards,
};

const args = process.argv.slice(2);
const asJson = args.includes("--json");
const names = args.filter((arg) => arg !== "--json");
const all = { ...benches, ...parts };
const unknown = names.filter((name) => !Object.hasOwn(all, name));
if (unknown.length) {
  const known = Object.keys(all).join(", ");
  console.error(`Unknown bench: ${unknown.join(", ")}. Known: ${known}.`);
  process.exit(2);
}

const document: Record<string, object[]> = {};
const counts = { none: 0, met: 0, missed: 0, lost: 0 };
for (const [name, run] of Object.entries(all)) {
  if (names.length ? !names.includes(name) : name in parts) continue;
  if (!asJson) console.log(`\n${name}`);
  const findings = await run();
  if (!asJson) printFindings(findings);
  document[name] = findings.map((one) => {
    const { verdict } = verdictOf(one);
    counts[verdict] += 1;
    return { ...one, ratio: one.product / one.floor, verdict };
  });
}
const { met, missed, lost } = counts;
if (asJson) console.log(JSON.stringify({ benches: document, met, missed, lost }, null, 2));
else console.log(`\n${met} met, ${missed} missed, ${lost} lost`);
process.exitCode = lost > 0 ? 1 : 0;
