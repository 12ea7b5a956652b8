import { existsSync, globSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { expect, it } from "vitest";
import { repositoryRoot } from "../suite/run-tool.ts";
import { needlessAllowances, otherWays } from "./one-way.ts";

const readText = (file: string) => readFileSync(join(repositoryRoot, file), "utf8");

it("finds what is built a second time, but not in comments", () => {
  const text = `
    /** The browser's \`localStorage\`. */
    const a = window.localStorage.getItem("a"); // sessionStorage
    document.cookie = "a"; void navigator.locks.request("https://x", () => indexedDB);
    const numbers = ["decimal", "money"];
    const isNumber = /^(integer|decimal)$/.test(type);
  `;
  const found = otherWays("client/src/x.ts", text).map((line) => line.split(": use ")[0]);
  expect(found).toEqual([
    "client/src/x.ts: localStorage",
    "client/src/x.ts: document.cookie",
    "client/src/x.ts: navigator.locks",
    "client/src/x.ts: indexedDB",
    'client/src/x.ts: "decimal", "money"',
    "client/src/x.ts: integer|decimal",
  ]);
  const look = ".a { color: #FFF; background: rgb(0 0 0 / 5%) } #main { color: var(--wf-text) }";
  expect(otherWays("client/src/a.css", look)).toHaveLength(2);
  expect(
    otherWays("client/src/a.tsx", '<path fill="#0b6477" />; this.#add(".#facade")'),
  ).toHaveLength(1);
  const sizes =
    ".a { font-size: 0.78rem; font-weight: 620; border-radius: 4px 3px 0 0 } .b { font-size: 2vmin; font-weight: 600; border-radius: var(--wf-radius-6) }";
  expect(otherWays("client/src/a.css", sizes)).toHaveLength(3);
  const props =
    '<Text fz="0.9rem" fw={560} bdrs={8} /> <IconButton label={a()} size={30} /> <Text fz="xs" fw={600} bdrs="md" />';
  expect(otherWays("client/src/a.tsx", props)).toHaveLength(4);
  expect(otherWays("client/src/a.tsx", '<input type="datetime-local" />')).toHaveLength(1);
  const inputs =
    '<TextInput {...noFill} onBlur={() => save()} /> <input name="email" autoComplete="username" /> <Textarea value={text} readOnly />';
  expect(otherWays("client/src/a.tsx", inputs)).toEqual([]);
  expect(otherWays("server/x.ts", "class SlowQueue {}")).toHaveLength(1);
  expect(otherWays("server/load/budget.ts", "class FairQueue {}")).toEqual([]);
});

it.each([
  ["server/x.ts", "class Deliveries extends EventEmitter {}"],
  ["server/x.ts", "const port = process.env.PORT;"],
  ["server/x.ts", 'if (error.code === "unavailable" || error.code === "rate_limited") retry();'],
  ["client/src/features/x.tsx", "core.texts.setTyping(place, text, label)"],
  ["client/src/features/x.tsx", '<span className="wf-badge">'],
  ["client/src/features/x.tsx", "const history = new EditHistory(model)"],
  ["client/src/features/x.tsx", "useEffect(() => setInterval(load, 5_000))"],
  ["client/src/features/x.tsx", 'import { notifications } from "@mantine/notifications";'],
  ["client/src/features/x.tsx", 'if (window.confirm("Delete?")) remove();'],
  ["client/src/features/x.tsx", '<TextInput onChange={() => find()} autoComplete="off" />'],
  ["client/src/features/x.tsx", '<PasswordInput name="secret" label={secret()} />'],
  ["client/src/sync/x.ts", "const at = Date.now();"],
])("refuses in %s: %s", (file, text) => {
  expect(otherWays(file, text)).toHaveLength(1);
});

it("finds SQL by another idiom than its layer's", () => {
  const text = `
    await execute(tx)\`delete from watchfloor.view where id = \${id}\`;
    const rows = await rowsOf<{ id: string }>(db)\`
      select id from watchfloor."user" where role = \${role} order by id\`;
    await rowsOf(db)\`select watchfloor.break_epoch(id) from watchfloor.feed\`;
    await execute(tx)\`with gone as (select 1) delete from watchfloor.view\`;
    sql\`select from \${sql.id(table.name)}, \${pg.escapeIdentifier(name)}\`;
    await pool.query<{ id: string }>("select id from x where y = $1", [id]);
  `;
  const found = otherWays("server/x/y.ts", text).map((line) =>
    line.split(": use ")[0]?.slice(15, 40),
  );
  expect(found).toEqual([
    "execute(tx)`delete from w",
    "rowsOf<{ id: string }>(db",
    "sql.id(",
    "escapeIdentifier",
    ".query<{ id: string }>(",
    "$1",
  ]);
  expect(otherWays("server/store/identifiers.ts", "sql.id(name)")).toEqual([]);
});

it("each purpose has one way, and each exception is one", () => {
  const files = globSync(
    [
      "client/*.html",
      "client/public/*.js",
      "client/src/**/*.{ts,tsx,css}",
      "{server,shared}/**/*.ts",
    ],
    { cwd: repositoryRoot, exclude: ["**/node_modules/**"] },
  );
  const isProduct = (file: string) =>
    !/\.(test|proof)\.tsx?$|\/testing\/|\/templates\/|field-types\.ts$/.test(file);
  const found = files.filter(isProduct).flatMap((file) => otherWays(file, readText(file)));
  expect(found).toEqual([]);
  const read = (file: string) => (existsSync(join(repositoryRoot, file)) ? readText(file) : null);
  expect(needlessAllowances(read)).toEqual([]);
});
