import { Stack, Text, Title } from "@mantine/core";
import { IconMinus, IconPencil, IconPlus } from "@tabler/icons-react";
import type { Model } from "../../../../../shared/model/model.ts";
import { modelMessages as messages } from "../../../messages/en/model.ts";
import { Dim } from "../../../ui/texts.ts";
import { type Change, ModelLabels } from "../labels/describe-changes.ts";
import classes from "./change-list.module.css";

interface Props {
  changes: readonly Change[];
  /** The compared models, the earlier one first, for the labels of tables. */
  between: readonly [Model, Model];
}

const signs = {
  added: { Shape: IconPlus, colour: "var(--wf-live)" },
  removed: { Shape: IconMinus, colour: "var(--wf-bad)" },
  changed: { Shape: IconPencil, colour: "var(--wf-text-dim)" },
};

/** The differences between two models, by table. */
export function ChangeList({ changes, between }: Props) {
  const labels = new ModelLabels(...between);
  const tables = [...new Set(changes.map(({ table }) => table))];
  return tables.map((table) => (
    <Stack key={table ?? ""} component="section" gap={4}>
      <Title order={4}>{table === null ? messages.allTables() : labels.table(table)}</Title>
      <Stack component="ul" gap={4} mb={8}>
        {changes
          .filter((change) => change.table === table)
          .map((change) => (
            <li key={change.key} className={classes.line}>
              <ChangeSign kind={change.kind} />
              <span>
                {subjectText(change)}
                {change.detail && <Detail {...change.detail} />}
              </span>
            </li>
          ))}
      </Stack>
    </Stack>
  ));
}

/** The sign of an addition, a removal or a change. */
export function ChangeSign({ kind }: { kind: Change["kind"] }) {
  const { Shape, colour } = signs[kind];
  return <Shape size={15} color={colour} style={{ marginTop: 4 }} aria-hidden="true" />;
}

function Detail({ property, before, after }: NonNullable<Change["detail"]>) {
  return (
    <>
      : {property}{" "}
      {before !== undefined && (
        <>
          <Dim>{before}</Dim> →{" "}
        </>
      )}
      <Text span inherit fw={600}>
        {after}
      </Text>
    </>
  );
}

/** The subject of a change, marked if it was added or removed as a whole. */
export function subjectText({ kind, subject }: Pick<Change, "kind" | "subject">): string {
  if (kind === "added") return messages.added({ subject });
  return kind === "removed" ? messages.removed({ subject }) : subject;
}
