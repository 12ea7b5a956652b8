import { catchUp } from "./catch-up.ts";
import { editLatency } from "./edit-latency.ts";
import { editsPerSecond } from "./edits-per-second.ts";
import { fanOut } from "./fan-out.ts";
import { firstPage } from "./first-page.ts";
import { type Finding, printFindings } from "./load/report.ts";
import { scopes } from "./scopes.ts";
import { wallboards } from "./wallboards.ts";

/**
 * `npm run bench [name …]`: one bench for each question of what "fast" means. Floor and product run in
 * turn on the same machine, because machines differ: the ratio is the result.
 */
const benches: Record<string, () => Promise<Finding[]>> = {
  "edit-latency": editLatency,
  "edits-per-second": editsPerSecond,
  "fan-out": fanOut,
  "first-page": firstPage,
  "catch-up": catchUp,
  scopes,
  wallboards,
};

const names = process.argv.slice(2);
const unknown = names.filter((name) => !Object.hasOwn(benches, name));
if (unknown.length) {
  console.error(
    `There is no bench ${unknown.join(", ")}. Say one of: ${Object.keys(benches).join(", ")}.`,
  );
  process.exit(2);
}

let missed = 0;
for (const [name, run] of Object.entries(benches)) {
  if (names.length && !names.includes(name)) continue;
  console.log(`\n${name}`);
  missed += printFindings(await run());
}
console.log(missed ? `\n${missed} missed` : "\nall met");
