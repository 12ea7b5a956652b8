import { findField, type Table } from "../../../../shared/model/model.ts";
import type { ActivityEntry } from "../../../../shared/protocol/records.ts";
import { activityMessages as messages } from "../../messages/en/activity.ts";
import { movedTo } from "../../records/transitions/moved-to.ts";
import { formatCount, formatList } from "../../ui/numbers.ts";

const MAX_NAMED_FIELDS = 3;

/**
 * Describes changes of one kind that were made together, or the loaded part of them, with `<author></author>` and `<title></title>` where the author
 * and the title of the record belong.
 */
export function changesText(
  table: Table,
  entries: readonly ActivityEntry[],
  isPartial: boolean,
): string {
  const [first] = entries;
  if (!first) return "";
  const size = new Set(entries.map(({ record }) => record)).size;
  const count = isPartial ? messages.atLeast({ count: size }) : formatCount(size);
  const [record, records] = [table.recordLabel, table.label.toLowerCase()];
  const isOne = size === 1;
  if (first.kind === "insert") {
    return isOne ? messages.added({ record }) : messages.addedMany({ count, records });
  }
  if (first.kind === "delete") {
    return isOne ? messages.deleted({ record }) : messages.deletedMany({ count, records });
  }
  if (first.transition !== undefined) {
    const { transition } = first;
    const state = movedTo(table, transition);
    if (state !== null)
      return isOne ? messages.moved({ state }) : messages.movedMany({ count, records, state });
    return isOne
      ? messages.transition({ transition })
      : messages.transitionMany({ count, records, transition });
  }
  const fields = fieldsText(table, entries);
  if (fields === "") return isOne ? messages.updated() : messages.updatedMany({ count, records });
  return isOne ? messages.changed({ fields }) : messages.changedMany({ fields, count, records });
}

/** The labels of the changed fields, without what every change records by itself. */
function fieldsText(table: Table, entries: readonly ActivityEntry[]): string {
  const names = new Set(entries.flatMap(({ fields }) => Object.keys(fields)));
  const labels = [...names].flatMap((name) => {
    const field = findField(table, name);
    return field && field.recorded === undefined ? [field.label] : [];
  });
  return labels.length > MAX_NAMED_FIELDS
    ? messages.fieldCount({ count: labels.length })
    : formatList(labels);
}

/** "Today", "Yesterday", "Friday, 20 November 2026" */
export function dayLabel(at: string, now: Date = new Date()): string {
  const day = new Date(at);
  const isSame = (other: Date) => day.toDateString() === other.toDateString();
  if (isSame(now)) return messages.today();
  const before = new Date(now.getFullYear(), now.getMonth(), now.getDate() - 1);
  return isSame(before) ? messages.yesterday() : dayFormat.format(day);
}

const dayFormat = new Intl.DateTimeFormat(undefined, { dateStyle: "full" });
