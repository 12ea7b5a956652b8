import type { Field, Table } from "../../../../shared/model/model.ts";

/** The fields that a card shows. */
export interface CardFields {
  /** The display field of the record. */
  display: Field | undefined;
  /** The first other text field among the columns. */
  text: Field | undefined;
  /** The first select field that the board is not grouped by. */
  mark: Field | undefined;
  assignee: Field | undefined;
}

/** Chooses the fields by the order of columns in the model, so that every table gets sensible cards. */
export function cardFields(table: Table, visible: readonly string[], group: string): CardFields {
  const columns = table.columns.flatMap((name) => {
    const field = visible.includes(name) && table.fields.find((one) => one.name === name);
    return field ? [field] : [];
  });
  const display = table.fields.find(({ name }) => name === table.display && visible.includes(name));
  const others = columns.filter(({ name }) => name !== display?.name && name !== group);
  return {
    display,
    text: others.find(({ type }) => type === "text" || type === "longText"),
    mark: others.find(({ type }) => type === "select"),
    assignee: others.find(({ type }) => type === "person"),
  };
}
