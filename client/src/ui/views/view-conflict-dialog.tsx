import { Stack, Text } from "@mantine/core";
import { findField, type Table } from "../../../../shared/model/model.ts";
import type { ViewLook } from "../../../../shared/model/view/view.ts";
import type { ViewInfo } from "../../../../shared/protocol/views.ts";
import { ConflictDialog } from "../conflicts/conflict-dialog.tsx";
import { ConflictList } from "../conflicts/conflict-list.tsx";
import { optionLabel } from "../fields/format-value.ts";
import type { LookUp } from "../fields/look-up.ts";
import type { Clashes } from "./use-view-deeds.ts";
import { describePart, type LookPart, partNames } from "./view-edits.ts";

interface Props {
  view: ViewInfo;
  table: Table;
  lookUp: LookUp;
  clashes: Clashes;
  onMine(): void;
  onTheirs(): void;
  onClose(): void;
}

/** Two have changed the same of a view: before, mine and theirs, and the choice. */
export function ViewConflictDialog({ view, table, lookUp, clashes, ...actions }: Props) {
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
  const conflicts = parts.map(([part, { base, mine, theirs }]) => ({
    key: part,
    title: partNames[part],
    before: say(part, base),
    mine: say(part, mine),
    theirs: say(part, theirs),
  }));
  return (
    <ConflictDialog
      title={`“${view.name}” was changed meanwhile`}
      mine="Save mine"
      theirs="Take theirs"
      {...actions}
    >
      <Text c="dimmed" size="sm" mb="md">
        {who} has saved other changes since you began yours. Nothing of yours is saved yet.
      </Text>
      <Stack gap="sm">
        <ConflictList conflicts={conflicts} />
      </Stack>
    </ConflictDialog>
  );
}
