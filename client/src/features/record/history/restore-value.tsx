import { Button } from "@mantine/core";
import { IconArrowBackUp } from "@tabler/icons-react";
import type { Json } from "../../../../../shared/filter/filter.ts";
import type { Field, Table } from "../../../../../shared/model/model.ts";
import type { TableAbilities } from "../../../../../shared/policy/abilities.ts";
import { recordMessages as messages } from "../../../messages/en/record.ts";
import { readOnlyReason } from "../../../records/fields/read-only-reason.ts";
import { isSameValue } from "../../../records/fields/same-value.ts";
import { runUndoStep } from "../../../records/undo.ts";
import type { RecordView } from "../../../state/record-view.ts";
import { pageCore } from "../../../sync/page/page-core.ts";
import { toast, toastFailure } from "../../../ui/toast.tsx";

interface Props {
  table: Table;
  field: Field;
  abilities: TableAbilities;
  record: RecordView;
  value: Json;
}

/** Restores an earlier value of a field by an ordinary edit. Nothing where it is the present one or can't be written. */
export function RestoreValue({ table, field, abilities, record, value }: Props) {
  const now = record.values[field.name] ?? null;
  const possible = readOnlyReason(table, field, abilities, record) === null;
  if (!possible || isSameValue(now, value)) return null;
  const restore = async () => {
    const { edits, undo } = pageCore();
    const set = { [field.name]: value };
    const edit = { record: record.id, set, base: { [field.name]: now } };
    const { batch, outcomes } = edits.editMany(table.name, [edit], "panel");
    const [outcome] = await outcomes;
    const label = field.label;
    if (outcome?.kind === "refused") {
      toastFailure(messages.notRestored({ field: label, reason: outcome.message }));
    } else {
      const undoRestore = () => void runUndoStep(undo, "undo", { batch });
      toast(messages.restored({ field: label }), undoRestore);
    }
  };
  return (
    <Button
      variant="subtle"
      size="compact-xs"
      leftSection={<IconArrowBackUp size={14} aria-hidden="true" />}
      aria-label={messages.restoreValue({ field: field.label })}
      onClick={() => void restore()}
    >
      {messages.restore()}
    </Button>
  );
}
