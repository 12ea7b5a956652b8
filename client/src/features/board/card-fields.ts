import type { Field, Table } from "../../../../shared/model/model.ts";

/** The fields that a card shows besides its name. */
export interface CardFields {
  /** What names the record. */
  display: Field | undefined;
  /** A sentence about it: the first other text among the columns. */
  text: Field | undefined;
  /** How it stands: the first selection that its column does not tell already. */
  mark: Field | undefined;
  assignee: Field | undefined;
}

/** Chosen by the model's own order of columns, so that every table gets sensible cards. */
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
