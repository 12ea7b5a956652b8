import { readFileSync } from "node:fs";
import { describe, expect, it } from "vitest";
import { createMetrics } from "../../server/http/metrics.ts";
import { repositoryRoot } from "../suite/run-tool.ts";

const read = (path: string) => readFileSync(`${repositoryRoot}/${path}`, "utf8");
const page = await createMetrics({}).text();
const types = new Map(
  [...page.matchAll(/^# TYPE (\S+) (\S+)/gm)].map(([, name = "", type = ""]) => [name, type]),
);
const helps = new Map(
  [...page.matchAll(/^# HELP (\S+) (.*)$/gm)].map(([, name = "", help = ""]) => [name, help]),
);
const guide = read("docs/guides/metrics.md");
const rows = [...guide.matchAll(/^\| `(\w+)` \| (\w+) \| (.*) \| (.*) \|$/gm)].map(
  ([, name = "", type = "", labels = "", help = ""]) => ({ name, type, labels, help }),
);

interface Dashboard {
  panels: { title: string; gridPos: object; targets: { expr: string }[] }[];
}
const dashboard = JSON.parse(read("docs/guides/deploy/grafana.json")) as Dashboard;
const alerts = read("docs/guides/deploy/alerts.yml");
const ruleExpressions = [...alerts.matchAll(/^ {8}expr: (.*)$/gm)].map(([, expr = ""]) => expr);
const panelExpressions = dashboard.panels.flatMap(({ targets }) => targets.map(({ expr }) => expr));

describe("docs/guides/metrics.md", () => {
  it("lists every metric of our own with its type and its help", () => {
    const own = [...types.keys()].filter((name) => !/^watchfloor_(process|nodejs)_/.test(name));
    expect(own.length).toBeGreaterThan(20);
    expect(rows.map(({ name }) => name).sort()).toEqual(own.sort());
    for (const { name, type, help } of rows) {
      expect([type, help], name).toEqual([types.get(name), helps.get(name)]);
    }
  });
});

const functions = ["histogram_quantile", "increase", "rate", "time"];
const aggregations = ["count", "max", "sum"];
const tokens =
  /\s+|"[^"]*"|\d+(?:\.\d+)?(?:e\d+)?|[a-zA-Z_:]\w*|\[\d+[smhd]\]|==|>=|<=|!=|=~|[-+*/(){}<>=,]/gy;

/** What is wrong with a query: it knows as much of PromQL as our queries use. */
function problemsOf(expr: string): string[] {
  const parts = expr.match(tokens) ?? [];
  if (parts.join("") !== expr) return [`can't be read after "${parts.join("")}"`];
  const problems: string[] = [];
  const open: string[] = [];
  for (const part of parts) {
    if ("({".includes(part)) open.push(part === "(" ? ")" : "}");
    if (")}".includes(part) && open.pop() !== part) problems.push(`has a ${part} too many`);
  }
  if (open.length > 0) problems.push(`lacks ${open.join("")}`);
  for (const [, name = ""] of expr.matchAll(/\b([a-z_]\w*)\s*\(/g)) {
    if (![...functions, ...aggregations, "by"].includes(name)) problems.push(`calls ${name}`);
  }
  for (const [, range = ""] of expr.matchAll(/\b(?:rate|increase)\(([^)]*)\)/g)) {
    if (!/\[\d+[mh]\]$/.test(range)) problems.push(`needs a range: ${range}`);
  }
  return [...problems, ...unknownNames(expr)];
}

/** Metrics and labels that no server has. */
function unknownNames(expr: string): string[] {
  const names = expr.match(/\bwatchfloor_\w+|\bup\b/g) ?? [];
  if (names.length === 0) return ["names no metric"];
  const unknown = names.filter((name) => {
    const base = name.replace(/_(bucket|count|sum)$/, "");
    return name !== "up" && !types.has(name) && types.get(base) !== "histogram";
  });
  const known = new Set(["instance", "job", "le"]);
  for (const name of names) {
    const row = rows.find((one) => name.startsWith(one.name));
    for (const [, label = ""] of (row?.labels ?? "").matchAll(/`(\w+)`/g)) known.add(label);
  }
  const inBraces = [...expr.matchAll(/(\w+)\s*=~?\s*"/g)].map(([, label = ""]) => label);
  const grouped = [...expr.matchAll(/\bby \(([^)]*)\)/g)].flatMap(([, all = ""]) =>
    all.split(", "),
  );
  const labels = [...inBraces, ...grouped].filter((label) => !known.has(label));
  return [...unknown, ...labels].map((name) => `does not know ${name}`);
}

describe("the dashboard and the alert rules", () => {
  it.each([...ruleExpressions, ...panelExpressions])("ask for what exists: %s", (expr) => {
    expect(problemsOf(expr)).toEqual([]);
  });

  it("are complete", () => {
    const count = alerts.match(/- alert: /g)?.length ?? 0;
    expect(count).toBeGreaterThan(10);
    expect(ruleExpressions).toHaveLength(count);
    for (const part of ["severity: ", "summary: "]) {
      expect(alerts.split(part)).toHaveLength(count + 1);
    }
    expect(panelExpressions.length).toBeGreaterThanOrEqual(dashboard.panels.length);
    expect(new Set(dashboard.panels.map(({ title }) => title)).size).toBe(dashboard.panels.length);
  });

  it("are refused where they are wrong", () => {
    for (const wrong of [
      "sum(rate(watchfloor_errors_total[5m])",
      "rate(watchfloor_errors_total)",
      "watchfloor_nothing > 1",
      'watchfloor_errors_total{colour="red"}',
      "guess(watchfloor_sockets)",
      "watchfloor_sockets ; 1",
    ]) {
      expect(problemsOf(wrong), wrong).not.toEqual([]);
    }
  });
});
