import { Button } from "@mantine/core";
import type { Field, Table } from "../../../../shared/model/model.ts";
import type { RecordView } from "../../state/record-view.ts";
import { useUnsavedTexts } from "../../state/use-unsaved-texts.ts";
import { pageCore } from "../../sync/page/page-core.ts";
import { copyText } from "../../ui/copy-text.ts";
import { parseInput } from "../../ui/fields/parse-input.ts";
import classes from "./record.module.css";

interface Props {
  table: Table;
  field: Field;
  record: RecordView;
  isWritable: boolean;
}

/** A text of mine that was not saved in this field: to be saved after all, copied or discarded. */
export function UnsavedTextNote({ table, field, record, isWritable }: Props) {
  const unsaved = useUnsavedTexts().find(
    (one) => one.table === table.name && one.record === record.id && one.field === field.name,
  );
  if (!unsaved) return null;
  const { edits, texts } = pageCore();
  const parsed = parseInput(field, unsaved.text);
  const save = () => {
    if (!parsed.ok) return;
    const base = { [field.name]: record.values[field.name] ?? null };
    edits.edit(table.name, { record: record.id, set: { [field.name]: parsed.value }, base });
    texts.discard(unsaved);
  };
  return (
    <div className={classes.kept} role="status">
      <p className={classes.keptReason}>Your text was not saved. {unsaved.reason}</p>
      <blockquote dir="auto" className={classes.keptText}>
        {unsaved.text}
      </blockquote>
      <div className={classes.keptButtons}>
        {isWritable && parsed.ok && (
          <Button size="compact-sm" onClick={save}>
            Save
          </Button>
        )}
        <Button
          size="compact-sm"
          variant="default"
          onClick={() => void copyText(unsaved.text, "Text copied.")}
        >
          Copy
        </Button>
        <Button size="compact-sm" variant="subtle" onClick={() => texts.discard(unsaved)}>
          Discard
        </Button>
      </div>
    </div>
  );
}
