import type { Table } from "../../../../shared/model/model.ts";
import type { HomePart } from "../../../../shared/model/wallboard/home-wallboard.ts";
import { workOf } from "../../../../shared/model/work-of.ts";
import { dashboardMessages as messages } from "../../messages/en/dashboard.ts";

/** The title of a tile of the dashboard, in the language of the interface: the server's own is English. */
export function homeTitle(part: HomePart, table: Table): string {
  const { started, done, level } = workOf(table) ?? {};
  switch (part) {
    case "open":
      return messages.openRecords({ records: table.label.toLowerCase() });
    case "overdue":
      return messages.overdueRecords();
    case "unassigned":
      return messages.unassigned();
    case "stale":
      return messages.openForLong();
    case "began":
      return messages.today({ field: started?.label ?? "" });
    case "done":
      return messages.today({ field: done?.label ?? "" });
    case "level":
      return messages.openBy({ field: level?.label.toLowerCase() ?? "" });
    case "mine":
      return messages.myWork();
    case "attention":
      return messages.attention();
    case "all":
      return table.label;
  }
}

const alertWords: Partial<Record<HomePart, () => string>> = {
  overdue: messages.pastDue,
  unassigned: messages.needsOwner,
};

/** The word of the alert of a tile of the dashboard, which has one threshold at most. */
export function homeAlertWord(part: HomePart, word: string): string {
  return alertWords[part]?.() ?? word;
}
