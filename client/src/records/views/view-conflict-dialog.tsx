import { Stack, Text } from "@mantine/core";
import { leaf, type MaybeNode, toJson } from "../../../../shared/document/document-node.ts";
import type { Conflict } from "../../../../shared/document/merge.ts";
import type { Json } from "../../../../shared/filter/filter.ts";
import { findField, type Table } from "../../../../shared/model/model.ts";
import type { ViewSettings } from "../../../../shared/model/view/view.ts";
import type { ViewInfo } from "../../../../shared/protocol/views.ts";
import { valueMessages } from "../../messages/en/values.ts";
import { viewMessages as messages } from "../../messages/en/views.ts";
import { ConflictDialog, ConflictList } from "../../ui/conflicts/conflicts.tsx";
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
  const describe = ({ path, base, mine, theirs }: Conflict) => {
    const part = path[0] as ViewPart;
    const textOf = (node: MaybeNode) =>
      describePart(part, { [part]: toJson(node) } as Partial<ViewSettings>, labelOf, valueLabelOf);
    return {
      title: partNames[part](),
      before: textOf(base),
      mine: textOf(mine),
      theirs: textOf(theirs),
    };
  };
  const shown = parts.map(([part, { base, mine, theirs }]) => ({
    path: [part],
    base: leaf(base as Json),
    mine: leaf(mine as Json),
    theirs: leaf(theirs as Json),
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
        <ConflictList conflicts={shown} describe={describe} />
      </Stack>
    </ConflictDialog>
  );
}
