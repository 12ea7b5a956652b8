import { type Explanation, explain } from "../../shared/error-texts/explain.ts";
import { usesClock } from "../../shared/filter/bind-filter.ts";
import { checkFilter } from "../../shared/filter/check-filter.ts";
import { fieldKinds, findTable, type Model, type Table } from "../../shared/model/model.ts";
import { bindRights, type Subject, scopeOf } from "../../shared/policy/scope.ts";
import type { WebhookReason } from "../../shared/protocol/webhooks.ts";
import { hasRight } from "../auth/require-right.ts";
import { type CompiledScope, compileScope } from "../policy/compiled-scope.ts";
import type { WebhookRow } from "../store/webhooks/webhooks.ts";

/** What a webhook may send: the records and fields that its owner may read, its filter matches and it names. */
type WebhookScope = { scope: CompiledScope } | { reason: WebhookReason };

/** `owner`: the user with the rights of now; null if they may not be here any more. */
export function webhookScope(
  { table: name, filter, fields }: Pick<WebhookRow, "table" | "filter" | "fields">,
  owner: Subject | null,
  model: Model,
): WebhookScope {
  if (!owner || !hasRight(owner, "webhooks")) return { reason: "owner" };
  const table = findTable(model, name);
  const scope = table && scopeOf(owner, table);
  if (!table || !scope) return { reason: "table" };
  if (filter && filterProblem(filter, table, scope.fields)) return { reason: "filter" };
  const own = filter && bindRights(filter, owner);
  const both = own && scope.filter ? { and: [scope.filter, own] } : (own ?? scope.filter);
  const visible = scope.fields.filter((field) => !fields || fields.includes(field));
  const hidesNothing = scope.hidesNothing && !fields;
  return { scope: compileScope({ ...scope, filter: both, fields: visible, hidesNothing }, table) };
}

/**
 * Why a filter can't select what a webhook sends. Like a row right it must not depend on the time: nobody would notice
 * when it passes.
 */
export function filterProblem(
  filter: NonNullable<WebhookRow["filter"]>,
  table: Table,
  visible: readonly string[],
): Explanation | null {
  const problem = checkFilter(filter, fieldKinds(table, visible));
  if (problem) return problem;
  return usesClock(filter) ? explain("webhook.clock") : null;
}
