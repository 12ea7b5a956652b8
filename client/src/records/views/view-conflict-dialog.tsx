import { Stack, Text } from "@mantine/core";
import { findField, type Table } from "../../../../shared/model/model.ts";
import type { ViewSettings } from "../../../../shared/model/view/view.ts";
import type { ViewInfo } from "../../../../shared/protocol/views.ts";
import { valueMessages } from "../../messages/en/values.ts";
import { viewMessages as messages } from "../../messages/en/views.ts";
import { ConflictDialog } from "../../ui/conflicts/conflict-dialog.tsx";
import { ConflictList } from "../../ui/conflicts/conflict-list.tsx";
import { optionLabel } from "../fields/format-value.ts";
import { useLookUp } from "../fields/look-up.ts";
import type { ViewConflicts } from "./use-view-actions.ts";
import { describePart, partNames, type ViewPart } from "./view-edits.ts";

interface Props {
  view: ViewInfo;
  table: Table;
  conflicts: ViewConflicts;
  onMine(): void;
  onTheirs(): void;
  onClose(): void;
}

/** Two users changed the same part of a view: before, mine and theirs, and the choice. */
export function ViewConflictDialog({ view, table, conflicts, ...actions }: Props) {
  const lookUp = useLookUp();
  const parts = Object.entries(conflicts) as [ViewPart, NonNullable<ViewConflicts[ViewPart]>][];
  const author = parts.find(([, { by }]) => by)?.[1].by?.name ?? valueMessages.someoneElse();
  const labelOf = (name: string) => findField(table, name)?.label ?? name;
  const valueLabelOf = (name: string, value: unknown) => {
    const field = findField(table, name);
    if (!field || typeof value !== "string") return undefined;
    return field.options ? optionLabel(field, value) : lookUp.labelOf(field, value);
  };
  const describe = (part: ViewPart, value: unknown) =>
    describePart(part, { [part]: value } as Partial<ViewSettings>, labelOf, valueLabelOf);
  const shown = parts.map(([part, { base, mine, theirs }]) => ({
    key: part,
    title: partNames[part](),
    before: describe(part, base),
    mine: describe(part, mine),
    theirs: describe(part, theirs),
  }));
  return (
    <ConflictDialog
      title={messages.conflictTitle({ name: view.name })}
      mine={messages.saveMine()}
      theirs={messages.takeTheirs()}
      {...actions}
    >
      <Text c="dimmed" size="sm" mb="md">
        {messages.conflictText({ author })}
      </Text>
      <Stack gap="sm">
        <ConflictList conflicts={shown} />
      </Stack>
    </ConflictDialog>
  );
}
