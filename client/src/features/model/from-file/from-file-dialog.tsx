import { Button, Stack, Text, TextInput } from "@mantine/core";
import { useEffect, useMemo, useState } from "react";
import type { FieldType } from "../../../../../shared/model/field-types.ts";
import { importMessages } from "../../../messages/en/import.ts";
import { modelMessages as messages } from "../../../messages/en/model.ts";
import { ColumnTable } from "../../../records/file-import/column-table.tsx";
import { FileFacts } from "../../../records/file-import/file-facts.tsx";
import {
  columnLabel,
  placeholderCells,
  tableOf,
} from "../../../records/file-import/file-format.ts";
import { FilePicker } from "../../../records/file-import/file-picker.tsx";
import { FormatFields } from "../../../records/file-import/format-fields.tsx";
import { type OpenFile, useImportFile } from "../../../records/file-import/use-import-file.ts";
import { useAccountData, useModel } from "../../../state/use-account.ts";
import { pageLabels } from "../../../sync/page/page-labels.ts";
import { Dialog } from "../../../ui/dialog.tsx";
import { DialogButtons } from "../../../ui/dialog-buttons.tsx";
import { FormProblem } from "../../../ui/form-problem.tsx";
import { noFill } from "../../../ui/no-fill.ts";
import { offeredTypes } from "../labels/field-choices.ts";
import {
  columnTypes,
  fieldOfType,
  type ProposedColumn,
  proposeFields,
  proposeLinks,
} from "./propose-field.ts";
import type { FileColumn } from "./table-from-file.ts";

export interface NewFileTable {
  label: string;
  columns: FileColumn[];
  file: File;
  /** The text that the user reads as empty. */
  nullText: string;
}

interface Props {
  onAdd(table: NewFileTable): void;
  onClose(): void;
}

/** Takes a file and proposes a table for it. The table is added to the draft, where everything else is edited. */
export function FromFileDialog({
  file: chosen,
  onAdd,
  onClose,
}: Props & { file?: File | undefined }) {
  const file = useImportFile([]);
  // biome-ignore lint/correctness/useExhaustiveDependencies: a file that was chosen before is read once.
  useEffect(() => void (chosen && file.choose(chosen)), []);
  return (
    <Dialog
      onClose={onClose}
      title={messages.addTableFromFile()}
      size={960}
      closeButtonProps={{ "aria-label": importMessages.cancel() }}
    >
      {file.open ? (
        <>
          <FileFacts file={file.open.sample.file} onOther={file.close} />
          <Columns open={file.open} onFormat={file.correct} onAdd={onAdd} onClose={onClose} />
        </>
      ) : (
        <>
          <FormProblem problem={file.problem} />
          <FilePicker onFile={(chosen) => void file.choose(chosen)} />
        </>
      )}
    </Dialog>
  );
}

const noValues = {
  ...{ dateFormat: null, decimal: null, possible: [] },
  ...{ isMixedDecimal: false, hasUnknownDates: false },
};

interface ColumnsProps extends Props {
  open: OpenFile;
  onFormat: ReturnType<typeof useImportFile>["correct"];
}

/** The choice of a link, before the name of its table. */
const LINK_TO = "link:";
const none: ReadonlyMap<number, string> = new Map();

/** By the places of columns, the choices of the links that are proposed once the values were looked up. */
function useProposedLinks(columns: readonly ProposedColumn[]): ReadonlyMap<number, string> {
  const { model, session } = useAccountData();
  const [found, setFound] = useState({ columns, links: none });
  useEffect(() => {
    let isCurrent = true;
    const readable = model.tables.filter(({ name }) => session.abilities.tables[name]?.read);
    const labels = pageLabels();
    void proposeLinks(columns, readable, (table, texts) => labels.labelsAmong(table, texts)).then(
      (tables) => {
        const choices = [...tables].map(([at, table]) => [at, LINK_TO + table] as const);
        if (isCurrent) setFound({ columns, links: new Map(choices) });
      },
    );
    return () => {
      isCurrent = false;
    };
  }, [columns, model, session]);
  // Another format makes other columns.
  return found.columns === columns ? found.links : none;
}

function Columns({ open: { sample, text, format }, onFormat, onAdd, onClose }: ColumnsProps) {
  const model = useModel();
  const [label, setLabel] = useState(() => sample.file.name.replace(/\.\w+$/, "").slice(0, 60));
  const { header, rows } = useMemo(() => tableOf(text, format), [text, format]);
  const proposed = useMemo(() => {
    const cellsOf = (index: number) =>
      rows.map((row) => row[index] ?? "").map((cell) => (cell === format.nullText ? "" : cell));
    return proposeFields(
      header,
      header.map((_, index) => cellsOf(index)),
    );
  }, [header, rows, format.nullText]);
  const links = useProposedLinks(proposed);
  const [chosen, setChosen] = useState<Readonly<Record<number, string>>>({});
  const types = proposed.map(({ field }, index) => chosen[index] ?? links.get(index) ?? field.type);
  const columns = proposed.flatMap(({ cells, decimal, field }, index): FileColumn[] => {
    const type = types[index] ?? "";
    if (type === "") return [];
    const label = columnLabel(format.hasHeader ? (header[index] ?? "") : "", index);
    if (type.startsWith(LINK_TO)) {
      return [{ label, field: { type: "link", target: type.slice(LINK_TO.length) } }];
    }
    const isProposed = type === field.type;
    return [{ label, field: isProposed ? field : fieldOfType(type as FieldType, cells, decimal) }];
  });
  const targets = model.tables.filter(({ name }) => [...links.values()].includes(LINK_TO + name));
  return (
    <Stack gap="md">
      <TextInput
        {...noFill}
        label={messages.tableLabel()}
        value={label}
        onChange={(event) => setLabel(event.currentTarget.value)}
        maxLength={60}
      />
      <FormatFields
        format={format}
        values={noValues}
        hasDates={false}
        hasNumbers={false}
        found={placeholderCells(rows, (index) => types[index] !== "")}
        onFormat={onFormat}
        onValues={() => {}}
      />
      <ColumnTable
        hasHeader={format.hasHeader}
        header={header}
        rows={rows}
        chosen={types}
        choices={[
          ...columnTypes.map((type) => ({ value: type, label: offeredTypes[type].name() })),
          ...targets.map(({ name, label: table }) => ({
            value: LINK_TO + name,
            label: messages.linkTo({ table }),
          })),
          { value: "", label: importMessages.ignore() },
        ]}
        onChoose={(index, type) => setChosen({ ...chosen, [index]: type })}
        labelOf={(column) => messages.typeOf({ column })}
      />
      <Text c="dimmed" textWrap="pretty">
        {messages.fromFileHint()}
      </Text>
      <DialogButtons onCancel={onClose}>
        <Button
          disabled={columns.length === 0 || label.trim() === ""}
          onClick={() => {
            const { nullText } = format;
            onAdd({ label: label.trim(), columns, file: sample.file, nullText });
          }}
        >
          {messages.addTable()}
        </Button>
      </DialogButtons>
    </Stack>
  );
}
