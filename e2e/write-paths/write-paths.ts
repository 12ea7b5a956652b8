import { expect } from "vitest";
import type { SubmittedEdit } from "../../client/src/sync/edits/pending-edits.ts";
import type { Values } from "../../shared/model/model.ts";
import type { ApplyAnswer, ChangeSetPreview } from "../../shared/protocol/change-sets.ts";
import type { ImportReport } from "../../shared/protocol/imports.ts";
import type { OpResult, WireOp } from "../../shared/protocol/mutate.ts";
import type { OpenCore, TestUser } from "../harness/test-user.ts";
import { initialValues, type RuleCase, rulesTable } from "./rules-table.ts";

/** The answer of a write path to a value that it refuses; null if it accepted it. */
export interface FieldRefusal {
  code: string;
  rule: string;
  message: string;
}

/** A path by which a value can be written into a record. */
export interface WritePath {
  name: string;
  isFor(rule: RuleCase): boolean;
  attempt(rule: RuleCase): Promise<FieldRefusal | null>;
}

const TABLE = rulesTable.name;
const isEdit = () => true;
const isCreate = ({ on }: RuleCase) => on === "both";
/** What no database can hold is no draft at all. */
const isDrafted = ({ rule }: RuleCase) => rule !== "characters";
let serial = 0;
const fresh = () => {
  serial += 1;
  return `try-${serial}`;
};

/** Who tries, and at which server. */
export interface Caller {
  user: TestUser;
  url: string;
}

/** Every write path, tried by one user on one record, whose fields hold what `stored` says. */
export function writePathsOf(caller: Caller, { core }: OpenCore, record: string): WritePath[] {
  const edit = ({ field, value }: RuleCase) => ({
    set: { [field]: value },
    base: { [field]: initialValues[field] ?? null },
  });
  const made = ({ field, value }: RuleCase): Values => {
    const needed = { needed: "yes", single: fresh(), begin: "2026-05-01" };
    return { ...needed, [field]: value };
  };
  const transitionCall = (rule: RuleCase) => ({ from: "a", ...edit(rule) });
  const mutate = async (rule: RuleCase, op: WireOp) => {
    const call = { id: fresh(), ops: [op] };
    const { results } = await caller.user.call<{ results: OpResult[] }>("POST", "/mutations", call);
    const [result] = results;
    return result?.ok === false ? refusedBy(rule, result.error) : null;
  };
  /** The refusal of a draft's only op, which its preview and its application name alike. */
  const changeSet = async (rule: RuleCase, op: WireOp) => {
    const { call } = caller.user;
    const { id } = await call<{ id: string }>("POST", "/change-sets", { ops: [op] });
    const path = `/change-sets/${id}`;
    const { items } = await call<ChangeSetPreview>("GET", `${path}/preview`);
    const { refused } = await call<ApplyAnswer>("POST", `${path}/apply`, { atomic: false });
    const errors = [items[0]?.errors[0], refused[0]?.error];
    const [previewed, applied] = errors.map((error) => (error ? refusedBy(rule, error) : null));
    expect(previewed).toEqual(applied);
    return applied ?? null;
  };
  const rest = async (rule: RuleCase, method: string, path: string, body: object) => {
    const answer = await raw(
      caller,
      method,
      `/tables/${TABLE}/records${path}`,
      {
        "content-type": "application/json",
      },
      JSON.stringify(body),
    );
    return answer.ok ? null : refusedBy(rule, (await answer.json()) as Body);
  };
  const edited = async (rule: RuleCase, taken: SubmittedEdit) => {
    const outcome = await taken.outcome;
    for (const ref of taken.refs) core.edits.drop(ref);
    if (outcome.kind !== "refused") return null;
    return refusedBy(rule, { ...outcome.detail, code: outcome.code, message: outcome.message });
  };
  const at = { table: TABLE, record } as const;
  const writePath = (name: string, isFor: WritePath["isFor"], attempt: WritePath["attempt"]) => ({
    name,
    isFor,
    attempt: attempt,
  });
  return [
    writePath("an edit in the grid", isEdit, (rule) =>
      edited(rule, core.edits.edit(TABLE, { record, ...edit(rule) })),
    ),
    writePath("a new row in the grid", isCreate, (rule) =>
      edited(rule, core.edits.create(TABLE, made(rule))),
    ),
    writePath("a transition in the grid", isEdit, (rule) =>
      edited(
        rule,
        core.edits.transition(TABLE, record, { transition: "go", ...transitionCall(rule) }),
      ),
    ),
    writePath("POST /mutations, update", isEdit, (rule) =>
      mutate(rule, { op: "update", ...at, ...edit(rule) }),
    ),
    writePath("POST /mutations, create", isCreate, (rule) =>
      mutate(rule, { op: "create", table: TABLE, values: made(rule) }),
    ),
    writePath("POST /mutations, transition", isEdit, (rule) =>
      mutate(rule, { op: "transition", ...at, transition: "go", ...transitionCall(rule) }),
    ),
    writePath("a change set, update", isDrafted, (rule) =>
      changeSet(rule, { op: "update", ...at, ...edit(rule) }),
    ),
    writePath(
      "a change set, create",
      (rule) => isCreate(rule) && isDrafted(rule),
      (rule) => changeSet(rule, { op: "create", table: TABLE, values: made(rule) }),
    ),
    writePath("PATCH", isEdit, (rule) => rest(rule, "PATCH", `/${record}`, edit(rule))),
    writePath("PATCH over whatever is there", isEdit, (rule) =>
      rest(rule, "PATCH", `/${record}?overwrite=true`, { set: edit(rule).set }),
    ),
    writePath("POST", isCreate, (rule) => rest(rule, "POST", "", { values: made(rule) })),
    writePath("POST …/transitions", isEdit, (rule) =>
      rest(rule, "POST", `/${record}/transitions/go`, transitionCall(rule)),
    ),
    writePath(
      "an import of new records",
      (rule) => isCreate(rule) && rule.cell !== null,
      async (rule) => {
        const { [rule.field]: _, ...others } = made(rule);
        const row = { ...others, [rule.field]: rule.cell as string };
        return importing(caller, rule, row, "");
      },
    ),
    writePath(
      "an import by key",
      ({ cell, field }) => cell !== null && field !== "single",
      (rule) => {
        const row = { single: "mine", [rule.field]: rule.cell as string };
        return importing(caller, rule, row, "&key=single");
      },
    ),
  ];
}

type Body = {
  code: string;
  message: string;
  fields?: Record<string, { rule: string; message: string }>;
};

/** What is reported of the field that the rule names; nothing may be reported of any other field. */
function refusedBy({ field }: RuleCase, body: Body | Record<string, unknown>): FieldRefusal {
  const { code, message, fields = {} } = body as Body;
  const names = Object.keys(fields).join(", ");
  const problem = fields[field];
  if (names !== field || !problem)
    return { code, rule: `reported: ${names || "nothing"}`, message };
  return { code, rule: problem.rule, message: problem.message };
}

async function importing(caller: Caller, rule: RuleCase, row: Values, query: string) {
  const quoted = (text: string) => `"${text.replaceAll('"', '""')}"`;
  const lines = [Object.keys(row), Object.values(row).map(String)];
  const csv = lines.map((cells) => cells.map(quoted).join(",")).join("\n");
  const path = `/tables/${TABLE}/imports?null=-${query}`;
  const answer = await raw(caller, "POST", path, { "content-type": "text/csv" }, csv);
  const { errors = [], failed } = (await answer.json()) as ImportReport;
  if (!failed) return null;
  const [error] = errors;
  const named = error?.field === rule.field ? (error.rule ?? "") : `reported: ${error?.field}`;
  return { code: error?.code ?? "", rule: named, message: error?.message ?? "" };
}

/** A REST call whose answer is examined, whatever it is. */
function raw(
  { user, url }: Caller,
  method: string,
  path: string,
  headers: Record<string, string>,
  body: string,
): Promise<Response> {
  const all = { authorization: `Bearer ${user.token}`, ...headers };
  return fetch(`${url}/api/v1${path}`, { method, headers: all, body });
}
