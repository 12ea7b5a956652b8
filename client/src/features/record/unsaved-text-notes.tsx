import { Box, Button, Group, Text } from "@mantine/core";
import { isReference } from "../../../../shared/model/field-types.ts";
import type { Field, Table } from "../../../../shared/model/model.ts";
import { recordMessages as messages } from "../../messages/en/record.ts";
import { saveValue, targetOfUnsaved } from "../../records/fields/field-edit.ts";
import { parseInput } from "../../records/fields/typed-text.ts";
import type { RecordView } from "../../state/record-view.ts";
import type { UnsavedText } from "../../state/unsaved-texts.ts";
import { unsavedTextsAtom } from "../../state/unsaved-texts.ts";
import { useAtom } from "../../state/use-atom.ts";
import { pageCore } from "../../sync/page/page-core.ts";
import { pageEditing, pageLabels } from "../../sync/page/page-labels.ts";
import { copyText } from "../../ui/copy-text.ts";
import { toastFailure } from "../../ui/toast.tsx";
import { useGiveFocus } from "../../ui/use-give-focus.ts";
import classes from "./record.module.css";

interface PlaceProps {
  /** Of the input. */
  id: string;
  table: Table;
  field: Field;
  record: RecordView;
  isWritable: boolean;
}

/** The texts that were not saved in this field, newest first. */
export function UnsavedTextNotes(props: PlaceProps) {
  const { table, field, record } = props;
  const texts = useAtom(unsavedTextsAtom).filter(
    (one) => one.table === table.name && one.record === record.id && one.field === field.name,
  );
  return texts.map((unsaved) => <UnsavedTextNote key={unsaved.id} {...props} unsaved={unsaved} />);
}

/** A text that was not saved: the user can save, copy or discard it. */
function UnsavedTextNote({
  id,
  table,
  field,
  record,
  isWritable,
  unsaved,
}: PlaceProps & { unsaved: UnsavedText }) {
  const { texts } = pageCore();
  const giveFocus = useGiveFocus(id);
  const parsed = parseInput(field, unsaved.text);
  const save = async () => {
    const read = isReference(field.type)
      ? await targetOfUnsaved(pageLabels(), field, unsaved.text)
      : parsed;
    if (!read.ok) {
      toastFailure(read.message);
      return;
    }
    const at = { ...pageEditing(), table, field, record: record.id, origin: "panel" } as const;
    saveValue(at, record.values[field.name] ?? null, read.value);
    texts.discard(unsaved.id);
  };
  return (
    <Box
      ref={giveFocus}
      mt={6}
      p="10px 12px"
      bd="1px solid color-mix(in srgb, var(--wf-warn) 40%, transparent)"
      bdrs="md"
      bg="var(--wf-warn-soft)"
      role="status"
    >
      <Text mb={6} fz="sm">
        {messages.textNotSaved({ reason: unsaved.reason })}
      </Text>
      <blockquote dir="auto" className={classes.unsavedText}>
        {unsaved.text}
      </blockquote>
      <Group gap={6} align="stretch">
        {isWritable && parsed.ok && (
          <Button size="compact-sm" onClick={() => void save()}>
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
        <Button size="compact-sm" variant="subtle" onClick={() => texts.discard(unsaved.id)}>
          {messages.discard()}
        </Button>
      </Group>
    </Box>
  );
}
