import { Stack, Title } from "@mantine/core";
import { IconMinus, IconPencil, IconPlus } from "@tabler/icons-react";
import type { Model } from "../../../../../shared/model/model.ts";
import { modelMessages as messages } from "../../../messages/en/model.ts";
import { type Change, ModelLabels } from "../labels/describe-changes.ts";
import classes from "./change-list.module.css";

interface Props {
  changes: readonly Change[];
  /** The compared models, the earlier one first, for the labels of tables. */
  between: readonly [Model, Model];
}

const signs = { added: IconPlus, removed: IconMinus, changed: IconPencil };

/** The differences between two models, by table. */
export function ChangeList({ changes, between }: Props) {
  const labels = new ModelLabels(...between);
  const tables = [...new Set(changes.map(({ table }) => table))];
  return tables.map((table) => (
    <Stack key={table ?? ""} component="section" gap={4}>
      <Title order={4}>{table === null ? messages.allTables() : labels.table(table)}</Title>
      <ul className={classes.list}>
        {changes
          .filter((change) => change.table === table)
          .map((change) => (
            <li key={change.key} className={classes.line} data-kind={change.kind}>
              <Sign kind={change.kind} />
              <span>
                {subjectText(change)}
                {change.detail && <Detail {...change.detail} />}
              </span>
            </li>
          ))}
      </ul>
    </Stack>
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

/** The subject of a change, marked if it was added or removed as a whole. */
export function subjectText({ kind, subject }: Pick<Change, "kind" | "subject">): string {
  if (kind === "added") return messages.added({ subject });
  return kind === "removed" ? messages.removed({ subject }) : subject;
}
