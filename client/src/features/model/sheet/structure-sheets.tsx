import { Button, Stack, TextInput } from "@mantine/core";
import { type FormEvent, useEffect, useRef, useState } from "react";
import { useLocation } from "wouter";
import { findTable, idOfField, idOfTable, type Model } from "../../../../../shared/model/model.ts";
import { tableAddress } from "../../../../../shared/record-address.ts";
import { modelMessages as messages } from "../../../messages/en/model.ts";
import { uiMessages } from "../../../messages/en/ui.ts";
import { importAddress } from "../../../records/may-import.ts";
import { openFieldSheet, setArrival } from "../../../state/open-sheet.ts";
import { namePendingTable, setPendingFile } from "../../../state/pending-import.ts";
import { useModel } from "../../../state/use-account.ts";
import { FormProblem } from "../../../ui/form-problem.tsx";
import { noFill } from "../../../ui/no-fill.ts";
import { Hint } from "../../../ui/texts.ts";
import { toast } from "../../../ui/toast.tsx";
import { addField, addStarterTable, changeTable, removeField } from "../document/edit-model.ts";
import { isNew, newId } from "../document/new-names.ts";
import type { ModelDraft } from "../draft/model-draft.ts";
import { useDraft } from "../draft/use-draft.tsx";
import { OpenTable } from "../draft/use-table-editor.ts";
import { FieldForm } from "../fields/field-form.tsx";
import { FromFileDialog, type NewFileTable } from "../from-file/from-file-dialog.tsx";
import { addTableFromFile } from "../from-file/table-from-file.ts";
import { SaveDialog } from "../save/save-dialog.tsx";
import { usePublish } from "../save/use-publish.ts";
import classes from "./sheet.module.css";
import { Sheet } from "./sheet.tsx";

/**
 * The structure, edited where it is used: the same draft, forms, plan and publication as in the model builder, beside the grid. What the
 * user began in the builder stays in the draft, and is then published with it, after all of it was shown. A sheet that is closed takes
 * back what it changed, and nothing else.
 */

interface FieldProps {
  table: string;
  field?: string;
  onClose(): void;
}

/** Adds a field to a table, or edits one. */
export function FieldSheet({ table: name, field, onClose }: FieldProps) {
  const table = findTable(useModel(), name);
  const label = table?.fields.find((one) => one.name === field)?.label;
  return (
    <Sheet
      title={label === undefined ? messages.newField() : messages.editField({ field: label })}
      onClose={onClose}
    >
      <FieldSheetBody table={name} {...(field !== undefined && { field })} onClose={onClose} />
    </Sheet>
  );
}

/** The part of the draft that the sheet edits, and the draft before and after it began. */
interface Begun {
  base: Model;
  before: Model;
  initial: Model;
  /** Nothing else in the draft waits for its publication. */
  isAlone: boolean;
  table: string;
  field: string;
}

function begin(store: ModelDraft, tableName: string, fieldName: string | undefined): Begun | null {
  const { base, draft, changed } = store.state;
  const published = findTable(base, tableName);
  if (!published) return null;
  const table = idOfTable(published);
  const begun = { base, before: draft, initial: draft, isAlone: !changed, table };
  if (fieldName !== undefined) {
    const field = published.fields.find(({ name }) => name === fieldName);
    return field ? { ...begun, field: idOfField(field) } : null;
  }
  // One that a reload left behind is gone on with.
  const waiting = tableOf(draft, table)?.fields.find(({ id }) => isNew(id));
  if (waiting) return { ...begun, field: idOfField(waiting) };
  const field = newId();
  store.edit((model) => changeTable(model, table, (one) => addField(one, field)));
  return { ...begun, initial: store.state.draft, field };
}

const tableOf = ({ tables }: Model, id: string) => tables.find((one) => idOfTable(one) === id);

function FieldSheetBody({ table, field, onClose }: FieldProps) {
  const { store } = useDraft();
  const [begun, setBegun] = useState<Begun | null | undefined>();
  const isPublished = useRef(false);
  // biome-ignore lint/correctness/useExhaustiveDependencies: from when it opens until it closes, however that happens.
  useEffect(() => {
    const begun = begin(store, table, field);
    setBegun(begun);
    return () => {
      if (begun && !isPublished.current) giveUp(store, begun, { table, field });
    };
  }, []);
  const goOn = (published: Model) => {
    isPublished.current = true;
    const within = begun && tableOf(published, begun.table);
    const at = within?.fields.find((one) => idOfField(one) === begun?.field);
    if (within) setArrival({ table: within.name, ...(at && { field: at.name }) });
    toast(at ? messages.isReady({ name: at.label }) : messages.published());
    onClose();
  };
  if (begun === undefined) return null;
  if (begun === null) return <Hint p={20}>{messages.noSuchField()}</Hint>;
  return <FieldSheetForm begun={begun} isAdded={!field} onPublished={goOn} onClose={onClose} />;
}

/** Takes back what the sheet changed. What its user wrote can be had again. */
function giveUp(store: ModelDraft, begun: Begun, of: { table: string; field: string | undefined }) {
  const { draft, base } = store.state;
  if (draft === begun.before) return;
  // Beside other changes, and on a version of somebody else, it can't be separated: all of it stays in the draft.
  if (!begun.isAlone && base !== begun.base) return;
  const undo = begun.isAlone ? store.discard() : store.edit(() => begun.before);
  if (draft === begun.initial) return;
  toast(messages.discarded(), () => {
    undo();
    openFieldSheet(of.table, of.field);
  });
}

interface FormProps {
  begun: Begun;
  isAdded: boolean;
  onPublished(published: Model): void;
  onClose(): void;
}

function FieldSheetForm({ begun, isAdded, onPublished, onClose }: FormProps) {
  const { store, draft, problems } = useDraft();
  const [deletion, setDeletion] = useState<(() => void) | null>(null);
  const form = useRef<HTMLFormElement>(null);
  // Most who edit a field rename it. Otherwise the button that closes the sheet would have the focus.
  useEffect(() => {
    const label = form.current?.querySelector("input");
    label?.focus();
    label?.select();
  }, []);
  const { publish, problem, isBusy, isReviewing, closeReview } = usePublish(onPublished);
  const table = tableOf(draft, begun.table);
  const index = table?.fields.findIndex((one) => idOfField(one) === begun.field) ?? -1;
  const field = table?.fields[index];
  const submit = (event: FormEvent) => {
    event.preventDefault();
    if (problems.length === 0) void publish(begun.isAlone);
  };
  const remove = () => {
    const undo = store.edit((model) =>
      changeTable(model, begun.table, (one) => removeField(one, begun.field)),
    );
    setDeletion(() => undo);
    void publish(false);
  };
  const onReviewClosed = () => {
    closeReview();
    deletion?.();
    setDeletion(null);
  };
  return (
    <>
      <form ref={form} className={classes.form} onSubmit={submit}>
        <div className={classes.content}>
          <FormProblem problem={problem} />
          {field && (
            <OpenTable value={begun.table}>
              <FieldForm field={field} index={index} isBrief />
            </OpenTable>
          )}
        </div>
        <div className={classes.foot}>
          <Hint>{begun.isAlone ? messages.fieldForAll() : messages.withDraft()}</Hint>
          <div className={classes.buttons}>
            {!isAdded && (
              <Button type="button" variant="subtle" color="red" onClick={remove}>
                {messages.deleteField()}
              </Button>
            )}
            <Button type="button" variant="default" onClick={onClose}>
              {uiMessages.cancel()}
            </Button>
            <Button type="submit" loading={isBusy} disabled={problems.length > 0}>
              {isAdded ? messages.addField() : messages.saveField()}
            </Button>
          </div>
        </div>
      </form>
      {isReviewing && <SaveDialog onClose={onReviewClosed} onPublished={onPublished} />}
    </>
  );
}

interface TableProps {
  onClose(): void;
}

/** Makes a table: by its name alone, or of a file, whose rows are then imported. */
export function TableSheet({ onClose }: TableProps) {
  const [isOfFile, setOfFile] = useState(false);
  return (
    <Sheet title={messages.newTable()} onClose={onClose}>
      {isOfFile ? (
        <TableOfFile onClose={onClose} />
      ) : (
        <div className={classes.content}>
          <NewTableForm onDone={onClose} />
          <Button mt={12} variant="subtle" onClick={() => setOfFile(true)}>
            {messages.addTableFromFile()}
          </Button>
        </div>
      )}
    </Sheet>
  );
}

/**
 * Asks for the name of a table, and publishes it with the fields that most begin with. Its grid opens with the cursor in the first cell.
 */
export function NewTableForm({ onDone }: { onDone?: () => void }) {
  const [label, setLabel] = useState("");
  const { add, parts, isBusy } = useNewTable((name) => {
    setArrival({ table: name, isNew: true });
    return tableAddress(name);
  }, onDone);
  const submit = (event: FormEvent) => {
    event.preventDefault();
    const text = label.trim();
    if (text) add((model, id) => addStarterTable(model, id, text));
  };
  return (
    <form onSubmit={submit}>
      <Stack gap={12}>
        {parts}
        <TextInput
          {...noFill}
          label={messages.tableLabel()}
          description={messages.tableNameText()}
          value={label}
          onChange={(event) => setLabel(event.currentTarget.value)}
          maxLength={60}
          data-autofocus
          autoFocus
        />
        <Hint>{messages.starterText()}</Hint>
        <Button type="submit" loading={isBusy} disabled={label.trim() === ""}>
          {messages.createTable()}
        </Button>
      </Stack>
    </form>
  );
}

/** Asks which fields the columns of a file are, publishes the table, and imports its rows. */
export function TableOfFile({ file, onClose }: { file?: File; onClose(): void }) {
  const { add, parts, isBusy } = useNewTable((name) => {
    namePendingTable(name);
    return importAddress(name);
  }, onClose);
  const addFromFile = ({ file: taken, nullText, ...table }: NewFileTable) => {
    if (isBusy) return;
    add((model, id) => {
      setPendingFile(id, { file: taken, nullText });
      return addTableFromFile(model, id, table);
    });
  };
  return (
    <>
      {parts}
      <FromFileDialog file={file} onAdd={addFromFile} onClose={onClose} />
    </>
  );
}

/**
 * Adds a table to the draft, publishes it, and goes to an address of it once this page has it. If it is not published, it does not stay in
 * the draft.
 */
function useNewTable(addressOf: (name: string) => string, onDone: (() => void) | undefined) {
  const { store } = useDraft();
  const [, navigate] = useLocation();
  const { tables } = useModel();
  const added = useRef({ id: "", undo: () => {} });
  const [name, setName] = useState<string | null>(null);
  const onPublished = (published: Model) =>
    setName(tableOf(published, added.current.id)?.name ?? null);
  const { publish, problem, isBusy, isReviewing, closeReview } = usePublish(onPublished);
  const table = tables.find((one) => one.name === name);
  // biome-ignore lint/correctness/useExhaustiveDependencies: once, when the table is there.
  useEffect(() => {
    if (!table) return;
    toast(messages.isReady({ name: table.label }));
    navigate(addressOf(table.name));
    onDone?.();
  }, [table !== undefined]);
  useEffect(() => () => added.current.undo(), []);
  const add = (change: (model: Model, id: string) => Model) => {
    added.current.undo();
    const id = newId();
    const { changed } = store.state;
    const undo = store.edit((model) => change(model, id));
    added.current = {
      id,
      undo: () => tableOf(store.state.draft, id) && undo(),
    };
    void publish(!changed);
  };
  const parts = (
    <>
      <FormProblem problem={problem} />
      {isReviewing && <SaveDialog onClose={closeReview} onPublished={onPublished} />}
    </>
  );
  return { add, parts, isBusy: isBusy || name !== null };
}
