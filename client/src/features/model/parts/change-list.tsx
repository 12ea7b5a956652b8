import { IconMinus, IconPencil, IconPlus } from "@tabler/icons-react";
import type { Model } from "../../../../../shared/model/model.ts";
import { type Change, ModelLabels } from "../labels/describe-changes.ts";
import classes from "./change-list.module.css";

interface Props {
  changes: readonly Change[];
  /** The models that the changes lie between, the earlier one first: they know what the tables are called. */
  between: readonly [Model, Model];
}

const signs = { added: IconPlus, removed: IconMinus, changed: IconPencil };
const kindPrefixes = { added: "New: ", removed: "Gone: ", changed: "" };

/** What leads from one model to another, by table. */
export function ChangeList({ changes, between }: Props) {
  const labels = new ModelLabels(...between);
  const tables = [...new Set(changes.map(({ table }) => table))];
  return tables.map((table) => (
    <section key={table ?? ""} className={classes.table}>
      <h4 className={classes.title}>{table === null ? "All tables" : labels.table(table)}</h4>
      <ul className={classes.list}>
        {changes
          .filter((change) => change.table === table)
          .map((change) => (
            <li key={change.key} className={classes.line} data-kind={change.kind}>
              <Sign kind={change.kind} />
              <span>
                {kindPrefixes[change.kind]}
                {change.subject}
                {change.detail && <Detail {...change.detail} />}
              </span>
            </li>
          ))}
      </ul>
    </section>
  ));
}

function Sign({ kind }: { kind: Change["kind"] }) {
  const Shape = signs[kind];
  return <Shape size={15} aria-hidden="true" />;
}

function Detail({ property, before, after }: NonNullable<Change["detail"]>) {
  return (
    <>
      : {property}{" "}
      {before !== undefined && (
        <>
          <span className={classes.before}>{before}</span> →{" "}
        </>
      )}
      <span className={classes.after}>{after}</span>
    </>
  );
}
