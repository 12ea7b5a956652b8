import { Button, Group, Modal, Text } from "@mantine/core";
import { findField, type Table } from "../../../../shared/model/model.ts";
import type { ViewLook } from "../../../../shared/model/view/view.ts";
import type { ViewInfo } from "../../../../shared/protocol/views.ts";
import { optionLabel } from "../fields/format-value.ts";
import type { LookUp } from "../fields/look-up.ts";
import type { Clashes } from "./use-view-deeds.ts";
import { describePart, type LookPart, partNames } from "./view-edits.ts";
import classes from "./views.module.css";

interface Props {
  view: ViewInfo;
  table: Table;
  lookUp: LookUp;
  clashes: Clashes;
  onMine(): void;
  onTheirs(): void;
  onClose(): void;
}

/** Two have changed the same of a view: before, theirs and mine, and the choice. */
export function ViewConflictDialog(props: Props) {
  const { view, table, lookUp, clashes, onMine, onTheirs, onClose } = props;
  const parts = Object.entries(clashes) as [LookPart, NonNullable<Clashes[LookPart]>][];
  const who = parts.find(([, { by }]) => by)?.[1].by?.name ?? "Somebody";
  const labelOf = (name: string) => findField(table, name)?.label ?? name;
  const valueLabelOf = (name: string, value: unknown) => {
    const field = findField(table, name);
    if (!field || typeof value !== "string") return undefined;
    return field.options ? optionLabel(field, value) : lookUp.labelOf(field, value);
  };
  const say = (part: LookPart, value: unknown) =>
    describePart(part, { [part]: value } as Partial<ViewLook>, labelOf, valueLabelOf);
  return (
    <Modal
      opened
      onClose={onClose}
      title={`“${view.name}” was changed meanwhile`}
      size={620}
      padding="xl"
    >
      <Text c="dimmed" size="sm">
        {who} has saved other changes since you began yours. Nothing of yours is saved yet.
      </Text>
      {parts.map(([part, { base, mine, theirs }]) => (
        <section key={part} className={classes.clash}>
          <h3 className={classes.part}>{partNames[part]}</h3>
          <dl className={classes.sides}>
            <dt>Mine</dt>
            <dd>{say(part, mine)}</dd>
            <dt>Theirs</dt>
            <dd>{say(part, theirs)}</dd>
            <dt>Before</dt>
            <dd>{say(part, base)}</dd>
          </dl>
        </section>
      ))}
      <Group justify="flex-end" gap="sm" mt="xl">
        <Button variant="default" onClick={onTheirs}>
          Take theirs
        </Button>
        <Button onClick={onMine}>Save mine</Button>
      </Group>
    </Modal>
  );
}
