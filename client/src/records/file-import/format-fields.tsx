import { Button, Checkbox, Group, NativeSelect, TextInput } from "@mantine/core";
import { ownZone } from "../../../../shared/filter/zone.ts";
import { dateFormats } from "../../../../shared/import/detect-format.ts";
import type { DecimalSign } from "../../../../shared/read-number.ts";
import { importMessages as messages } from "../../messages/en/import.ts";
import { noFill } from "../../ui/no-fill.ts";
import { Dim } from "../../ui/texts.ts";
import type { FileFormat, ValueFormat } from "./file-format.ts";
import classes from "./file-import.module.css";
import { encodings } from "./file-sample.ts";

interface Props {
  format: FileFormat;
  values: ValueFormat;
  /** Whether a column goes into a date, and into a number. */
  hasDates: boolean;
  hasNumbers: boolean;
  /** Texts that often mean empty, with the number of their cells. */
  found: readonly { text: string; count: number }[];
  onFormat(change: Partial<FileFormat>): void;
  onValues(change: Partial<Pick<ValueFormat, "dateFormat" | "decimal">>): void;
}

/** The choice that the texts alone can't make. */
const UNDECIDED = "?";

/** How the file is written, as detected; every part can be corrected. */
export function FormatFields(props: Props) {
  const { format, values, hasDates, hasNumbers, found, onFormat, onValues } = props;
  return (
    <fieldset className={classes.format}>
      <legend className={classes.heading}>{messages.format()}</legend>
      <NativeSelect
        label={messages.delimiter()}
        value={format.delimiter}
        data={[
          { value: ",", label: messages.comma() },
          { value: ";", label: messages.semicolon() },
          { value: "\t", label: messages.tab() },
          { value: "|", label: messages.pipe() },
        ]}
        onChange={(event) => onFormat({ delimiter: event.currentTarget.value })}
      />
      <NativeSelect
        label={messages.encoding()}
        value={format.encoding}
        data={[...encodings]}
        onChange={(event) => onFormat({ encoding: event.currentTarget.value })}
      />
      <TextInput
        {...noFill}
        label={messages.nullText()}
        placeholder={messages.nullHint()}
        value={format.nullText}
        maxLength={100}
        onChange={(event) => onFormat({ nullText: event.currentTarget.value })}
      />
      <EmptyProposals
        found={found.filter(({ text }) => text !== format.nullText)}
        onChoose={(nullText) => onFormat({ nullText })}
      />
      {hasNumbers && (
        <NativeSelect
          label={messages.decimal()}
          value={values.decimal === undefined ? UNDECIDED : (values.decimal ?? "")}
          error={values.decimal === undefined && messages.ambiguousNumbers()}
          data={[
            ...(values.decimal === undefined
              ? [{ value: UNDECIDED, label: messages.chooseDates() }]
              : []),
            {
              value: "",
              label: values.isMixedDecimal
                ? `${messages.decimalComma()} · ${messages.decimalPoint()}`
                : messages.decimalAuto(),
            },
            { value: ".", label: messages.decimalPoint() },
            { value: ",", label: messages.decimalComma() },
          ]}
          onChange={({ currentTarget: { value } }) =>
            onValues({
              decimal: value === UNDECIDED ? undefined : ((value || null) as DecimalSign | null),
            })
          }
        />
      )}
      {hasDates && <DateFields {...{ format, values, onFormat, onValues }} />}
      <Checkbox
        className={classes.wideField ?? ""}
        label={messages.hasHeader()}
        checked={format.hasHeader}
        onChange={(event) => onFormat({ hasHeader: event.currentTarget.checked })}
      />
    </fieldset>
  );
}

/** Offers to read a text as empty. Nothing is read so unless it is chosen: in another file the text is a value. */
function EmptyProposals({
  found,
  onChoose,
}: Pick<Props, "found"> & { onChoose(text: string): void }) {
  if (found.length === 0) return null;
  return (
    <Group className={classes.wideField ?? ""} gap="4px 8px">
      <Dim>{messages.foundTexts()}</Dim>
      {found.map(({ text, count }) => (
        <Button key={text} size="compact-sm" variant="default" onClick={() => onChoose(text)}>
          {messages.readAsEmpty({ text, count })}
        </Button>
      ))}
    </Group>
  );
}

function DateFields({
  format,
  values,
  onFormat,
  onValues,
}: Pick<Props, "format" | "values" | "onFormat" | "onValues">) {
  const { dateFormat, possible, hasUnknownDates } = values;
  const isOpen = dateFormat === undefined;
  const others = dateFormats.filter((one) => !possible.includes(one));
  // Columns may be written in different ways: then each is read as it is written.
  const isMixed = !isOpen && possible.length > 1;
  const note = isOpen ? messages.ambiguousDates() : null;
  const local = ownZone();
  return (
    <>
      <NativeSelect
        label={messages.dates()}
        value={isOpen ? UNDECIDED : (dateFormat ?? "")}
        error={note ?? (hasUnknownDates && dateFormat === null && messages.unknownDates())}
        data={[
          ...(isOpen ? [{ value: UNDECIDED, label: messages.chooseDates() }] : []),
          ...possible,
          { value: "", label: isMixed ? possible.join(", ") : messages.iso() },
          ...others,
        ]}
        onChange={({ currentTarget: { value } }) =>
          onValues({ dateFormat: value === UNDECIDED ? undefined : value || null })
        }
      />
      <NativeSelect
        label={messages.zone()}
        value={format.zone}
        data={[...new Set([local, "UTC"])]}
        onChange={(event) => onFormat({ zone: event.currentTarget.value })}
      />
    </>
  );
}
