import { defaultLimits } from "../../../../shared/limits.ts";
import { displayText } from "../../../../shared/model/display-text.ts";
import { type Field, findTable, type Model } from "../../../../shared/model/model.ts";
import { neededFields } from "../../../../shared/model/needed-fields.ts";
import { normalizeValue } from "../../../../shared/model/normalize-value.ts";
import { isReadOnly } from "../../../../shared/model/recorded.ts";
import { valueMessages as messages } from "../../messages/en/values.ts";
import { createAtom } from "../../state/atom-store.ts";
import { knownAccountData } from "../../state/known-account.ts";
import type { RecordView } from "../../state/record-view.ts";
import { store } from "../../state/store.ts";
import { tableAtom } from "../../state/table-state.ts";
import { valuesWhenDeleted } from "../calls/change-log.ts";
import { type Target, TargetLabels } from "../calls/target-labels.ts";
import { valuesForNew } from "./new-values.ts";
import { pageCore } from "./page-core.ts";

const emptyModel: Model = { version: 0, tables: [] };
const pageModel = () => knownAccountData()?.model ?? emptyModel;

/** The labels of the page, whose user may create what a link shall point to. */
class PageLabels extends TargetLabels {
  /** Whether the user can create a record of the field's table that needs no more than this label. */
  isCreatable({ target = "" }: Field, label: string): boolean {
    const table = findTable(pageModel(), target);
    const abilities = knownAccountData()?.session.abilities.tables[target];
    const display = table?.fields.find(({ name }) => name === table.display);
    if (!table || !display || !abilities?.create) return false;
    if (isReadOnly(display) || !abilities.update.includes(display.name)) return false;
    const isValid = display.type === "text" && normalizeValue(display, label).ok;
    const values = { ...valuesForNew(table, abilities, null), [display.name]: label };
    return isValid && neededFields(table, values).length === 0;
  }

  protected override async deletedLabel(name: string, id: string): Promise<string | null> {
    const table = findTable(pageModel(), name);
    if (!table || !knownAccountData()?.session.abilities.tables[name]?.history) return null;
    const title = displayText(table, await valuesWhenDeleted(name, id));
    return title === null ? null : messages.deletedRecord({ title });
  }

  /** Creates it by an edit of its own, which edits that link to it wait for. One undo takes back both. */
  create(field: Field, label: string): Target {
    const { target = "" } = field;
    const table = findTable(pageModel(), target);
    const abilities = knownAccountData()?.session.abilities.tables[target];
    const initial = table && abilities ? valuesForNew(table, abilities, null) : {};
    const { edits, undo } = pageCore();
    const { record } = edits.create(target, { ...initial, [table?.display ?? ""]: label });
    undo.joinLink(record);
    const created = { id: record, label };
    this.add(field, created);
    return created;
  }
}

const labelsAtom = createAtom(
  new PageLabels(
    pageModel,
    () => (knownAccountData()?.session.limits ?? defaultLimits).PAGE_MAX_RECORDS,
  ),
);

/** The page's one cache of the labels of linked records and users. */
export function pageLabels(): PageLabels {
  return store.get(labelsAtom);
}

/** What an edit of a field needs of the page (`FieldEdit`). */
export function pageEditing() {
  return {
    core: pageCore(),
    labels: pageLabels(),
    viewOf: (table: string, record: string): RecordView | undefined =>
      store.get(tableAtom(table)).get(record),
  };
}
