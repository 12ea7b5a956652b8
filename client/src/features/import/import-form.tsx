import { Button, Group, NativeSelect, Text } from "@mantine/core";
import { useEffect, useMemo, useRef, useState } from "react";
import { useLocation } from "wouter";
import { ID_FIELD } from "../../../../shared/filter/value-kinds.ts";
import { hasProperty, kindOfType } from "../../../../shared/model/field-types.ts";
import { type Field, findField, type Table } from "../../../../shared/model/model.ts";
import { importMessages as messages } from "../../messages/en/import.ts";
import { changeSetAddress } from "../../records/change-sets/change-set-address.ts";
import { ColumnTable } from "../../records/file-import/column-table.tsx";
import {
  detectValues,
  type FileFormat,
  placeholderCells,
  tableOf,
  type ValueFormat,
} from "../../records/file-import/file-format.ts";
import classes from "../../records/file-import/file-import.module.css";
import { FormatFields } from "../../records/file-import/format-fields.tsx";
import type { OpenFile } from "../../records/file-import/use-import-file.ts";
import { setPendingFile } from "../../state/pending-import.ts";
import { type ImportQuery, importFile } from "../../sync/calls/imports.ts";
import { FormProblem } from "../../ui/form-problem.tsx";
import { isSessionEnd, problemText } from "../../ui/problem-text.ts";
import { Dim } from "../../ui/texts.ts";
import {
  type Mapping,
  mapOf,
  proposeMapping,
  rememberMapping,
  withField,
} from "./column-mapping.ts";

interface Props {
  table: Table;
  /** The fields that may be filled. */
  fields: readonly Field[];
  canCreate: boolean;
  open: OpenFile;
  onFormat(change: Partial<FileFormat>): void;
}

type ValueChoice = Partial<Pick<ValueFormat, "dateFormat" | "decimal">>;

/** How a file is read and what its columns are, then its upload. */
export function ImportForm({ table, fields, canCreate, open, onFormat }: Props) {
  const [, navigate] = useLocation();
  const { format, text } = open;
  const { header, rows } = useMemo(() => tableOf(text, format), [text, format]);
  const columns = header.join("\n");
  const [chosen, setChosen] = useState<{ columns: string; mapping: Mapping } | null>(null);
  const [corrected, setCorrected] = useState<ValueChoice>({});
  const proposed = useMemo(() => proposeMapping(table, fields, header), [table, fields, header]);
  const mapping = chosen?.columns === columns ? chosen.mapping : proposed;
  const setMapping = (next: Mapping) => setChosen({ columns, mapping: next });
  const targets = mapping.fields.map((name) => findField(table, name));
  const values = { ...detectValues(rows, targets, format.nullText), ...corrected };
  const upload = useUpload((id) => {
    rememberMapping(table, fields, header, mapping);
    const { nullText } = format;
    setPendingFile(table.name, { file: open.sample.file, nullText, changeSet: id });
    navigate(changeSetAddress(id));
  });
  const kinds = new Set(targets.map((field) => field && kindOfType[field.type]));
  const problem = missing(mapping, values, canCreate);
  const query = {
    table: table.name,
    key: mapping.key ?? undefined,
    map: mapOf(fields, header, mapping),
    null: format.nullText || undefined,
    dateFormat: values.dateFormat ?? undefined,
    decimal: values.decimal ?? undefined,
    zone: format.zone,
    delimiter: format.delimiter,
    encoding: format.encoding,
    header: format.hasHeader,
  };
  return (
    <>
      <FormatFields
        format={format}
        values={values}
        hasDates={kinds.has("timestamp") || kinds.has("date")}
        hasNumbers={kinds.has("integer") || kinds.has("decimal")}
        found={placeholderCells(rows, (index) => mapping.fields[index] !== "")}
        onFormat={onFormat}
        onValues={(change) => setCorrected({ ...corrected, ...change })}
      />
      <h2 className={classes.heading}>{messages.columns()}</h2>
      <Text c="dimmed" textWrap="pretty">
        {messages.columnsLead()}
      </Text>
      <ColumnTable
        hasHeader={format.hasHeader}
        header={header}
        rows={rows}
        chosen={mapping.fields}
        choices={[
          { value: "", label: messages.ignore() },
          ...fields.map(({ name, label }) => ({ value: name, label })),
          { value: ID_FIELD, label: messages.recordId() },
        ]}
        onChoose={(index, field) => setMapping(withField(mapping, index, field))}
      />
      <h2 className={classes.heading}>{messages.existing()}</h2>
      <KeySelect table={table} mapping={mapping} canCreate={canCreate} onMapping={setMapping} />
      <FormProblem problem={upload.problem} />
      {upload.part === null ? (
        <Group gap="8px 12px" mt={8}>
          <Button
            disabled={problem !== null}
            onClick={() => void upload.start(open.sample.file, query)}
          >
            {messages.preview()}
          </Button>
          <Dim textWrap="pretty" role="status">
            {problem}
          </Dim>
        </Group>
      ) : (
        <UploadBar part={upload.part} onCancel={upload.cancel} />
      )}
    </>
  );
}

/** What the user must still say before the file can be read. */
function missing(mapping: Mapping, values: ValueFormat, canCreate: boolean): string | null {
  if (mapping.fields.every((name) => name === "")) return messages.noColumns();
  if (!canCreate && mapping.key === null) return messages.keyNeeded();
  if (values.dateFormat === undefined) return messages.ambiguousDates();
  return values.decimal === undefined ? messages.ambiguousNumbers() : null;
}

function KeySelect({
  table,
  mapping,
  canCreate,
  onMapping,
}: {
  table: Table;
  mapping: Mapping;
  canCreate: boolean;
  onMapping(mapping: Mapping): void;
}) {
  const { key } = mapping;
  const keys = mapping.fields.filter((name) => name === ID_FIELD || isKey(findField(table, name)));
  const isShared = key !== null && key !== ID_FIELD && !findField(table, key)?.unique;
  const none = canCreate ? messages.onlyNew() : messages.chooseKey();
  return (
    <NativeSelect
      maw={480}
      m="8px 0 24px"
      label={messages.key()}
      description={key === null ? messages.newHint() : messages.keyHint()}
      error={isShared && messages.sharedKey()}
      value={key ?? ""}
      data={[
        { value: "", label: none },
        ...keys.map((name) => ({
          value: name,
          label: messages.updateBy({ field: findField(table, name)?.label ?? messages.recordId() }),
        })),
      ]}
      onChange={(event) => onMapping({ ...mapping, key: event.currentTarget.value || null })}
    />
  );
}

function isKey(field: Field | undefined): boolean {
  return field !== undefined && field.type !== "boolean" && hasProperty(field.type, "unique");
}

/** How much of a file was sent, and the way to end it. */
function UploadBar({ part, onCancel }: { part: number; onCancel: () => void }) {
  const percent = Math.floor(part * 100);
  const text = percent < 100 ? messages.uploading({ percent }) : messages.checking();
  return (
    <div className={classes.upload}>
      <progress value={percent} max={100} aria-label={messages.preview()} />
      <span role="status">{text}</span>
      <Button variant="default" onClick={onCancel}>
        {messages.cancel()}
      </Button>
    </div>
  );
}

/** Sends a file into a new draft, with progress; `onDone` gets the draft. Leaving the screen ends the upload. */
function useUpload(onDone: (changeSet: string) => void) {
  const [part, setPart] = useState<number | null>(null);
  const [problem, setProblem] = useState<string | null>(null);
  const running = useRef<AbortController | null>(null);
  useEffect(() => () => running.current?.abort(), []);
  const start = async (file: File, query: ImportQuery) => {
    const controller = new AbortController();
    running.current = controller;
    setProblem(null);
    setPart(0);
    try {
      const upload = { file, onProgress: setPart, signal: controller.signal };
      const id = await importFile(file.name.slice(0, 200), query, upload);
      if (id !== null) onDone(id);
    } catch (error) {
      if (!isSessionEnd(error)) setProblem(problemText(error));
    }
    setPart(null);
  };
  return { part, problem, start, cancel: () => running.current?.abort() };
}
