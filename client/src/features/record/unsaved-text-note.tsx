import { Button } from "@mantine/core";
import type { Field, Table } from "../../../../shared/model/model.ts";
import { recordMessages as messages } from "../../messages/en/record.ts";
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

/** A text that was not saved in this field: the user can save, copy or discard it. */
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
    <div className={classes.unsaved} role="status">
      <p className={classes.unsavedReason}>{messages.textNotSaved({ reason: unsaved.reason })}</p>
      <blockquote dir="auto" className={classes.unsavedText}>
        {unsaved.text}
      </blockquote>
      <div className={classes.unsavedButtons}>
        {isWritable && parsed.ok && (
          <Button size="compact-sm" onClick={save}>
            {messages.save()}
          </Button>
        )}
        <Button
          size="compact-sm"
          variant="default"
          onClick={() => void copyText(unsaved.text, messages.textCopied())}
        >
          {messages.copy()}
        </Button>
        <Button size="compact-sm" variant="subtle" onClick={() => texts.discard(unsaved)}>
          {messages.discard()}
        </Button>
      </div>
    </div>
  );
}
