import type { RevertCall } from "../../shared/protocol/change-sets.ts";
import { Refusal } from "../../shared/protocol/errors.ts";
import type { ActivityEntry } from "../../shared/protocol/records.ts";
import type { Identity } from "../auth/identity.ts";
import type { Commands } from "../commands/commands.ts";
import type { PlacedEntry } from "../commands/read-activity.ts";
import type { ChangeSetContext } from "./change-set-context.ts";

/** A change that was selected: its place in the log, and none of its values. */
export interface SelectedChange
  extends Pick<ActivityEntry, "table" | "record" | "kind" | "changeSet"> {
  place: number;
}

/**
 * The changes to revert, newest first, as far as the reader's activity shows them. Of too many, `cut` returns the newest. Their
 * values, which may be large, are read later in parts: see `readEntriesAt`.
 */
export async function selectChanges(
  { commands, limits }: ChangeSetContext,
  identity: Identity,
  call: RevertCall | { changeSet: string },
  whenTooMany: "refuse" | "cut" = "refuse",
): Promise<SelectedChange[]> {
  if ("changes" in call) return (await commands.readEntries(identity, call.changes)).map(selected);
  const limit = limits.CHANGE_SET_MAX_OPS;
  const found: SelectedChange[] = [];
  for (let before: string | undefined; ; ) {
    const page: Awaited<ReturnType<Commands["readPlacedActivity"]>> =
      await commands.readPlacedActivity(identity, {
        ...call,
        limit: limits.PAGE_MAX_RECORDS,
        before,
      });
    found.push(...page.found.map(selected));
    before = page.next?.toString();
    if (found.length > limit) {
      if (whenTooMany === "cut") return found.slice(0, limit);
      throw new Refusal("too_large", { limit, size: found.length, unit: "ops" });
    }
    if (before === undefined) return found;
  }
}

function selected({ place, entry: { table, record, kind, changeSet } }: PlacedEntry) {
  return { place, table, record, kind, ...(changeSet !== undefined && { changeSet }) };
}
