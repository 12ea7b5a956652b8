import { Button, Group } from "@mantine/core";
import {
  IconArrowBackUp,
  IconArrowForwardUp,
  IconHistory,
  IconTablePlus,
} from "@tabler/icons-react";
import { useEffect, useMemo, useState } from "react";
import { Link, useLocation } from "wouter";
import { type Field, idOfTable, type Model } from "../../../../shared/model/model.ts";
import { modelMessages as messages } from "../../messages/en/model.ts";
import { type LookUp, LookUpContext } from "../../records/fields/look-up.ts";
import { setPendingFile } from "../../state/pending-import.ts";
import { pageLabels } from "../../sync/page/page-labels.ts";
import { AddButton } from "../../ui/add-button.tsx";
import { IconButton } from "../../ui/icon-button.tsx";
import { Notice } from "../../ui/notice.tsx";
import { Page } from "../../ui/page.tsx";
import { addressOfTable, type Tab, VERSIONS } from "./addresses.ts";
import { addTable } from "./document/edit-model.ts";
import { isNew, newId } from "./document/new-names.ts";
import { useDraft } from "./draft/use-draft.tsx";
import { DraftBar } from "./draft-bar.tsx";
import { FromFileDialog, type NewFileTable } from "./from-file/from-file-dialog.tsx";
import { addTableFromFile } from "./from-file/table-from-file.ts";
import classes from "./model.module.css";
import { ConflictBanner } from "./save/conflict-banner.tsx";
import { TableEditor } from "./tables/table-editor.tsx";
import { TablesList } from "./tables/tables-list.tsx";

/** The builder: the list of tables and the open table. */
export function ModelBuilder({ open, tab }: { open: string | undefined; tab: Tab }) {
  const { draft, edit, store } = useDraft();
  const [, navigate] = useLocation();
  const opened = useOpenTable(open);
  // The address of a table that was not published yet names it by an id of this page alone.
  useEffect(() => {
    if (open === undefined || opened === undefined || open === opened || !isNew(open)) return;
    // The draft that is drawn may be an older one, without a table that was just added.
    const isGone = !store.state.draft.tables.some((table) => idOfTable(table) === open);
    if (isGone) navigate(addressOfTable(opened, tab), { replace: true });
  }, [open, opened, tab, navigate, store]);
  const lookUp = useDraftLookUp();
  const [isTakingFile, setTakingFile] = useState(false);
  const add = () => {
    const id = newId();
    edit((model) => addTable(model, id));
    navigate(addressOfTable(id));
  };
  const addFromFile = ({ file, nullText, ...table }: NewFileTable) => {
    const id = newId();
    edit((model) => addTableFromFile(model, id, table));
    setPendingFile(id, { file, nullText });
    setTakingFile(false);
    navigate(addressOfTable(id));
  };
  return (
    <Page
      title={messages.title()}
      lead={messages.lead()}
      pinned
      actions={
        <>
          <ModelTools />
          <DraftBar />
        </>
      }
    >
      <ConflictBanner />
      {isTakingFile && <FromFileDialog onAdd={addFromFile} onClose={() => setTakingFile(false)} />}
      {draft.tables.length === 0 ? (
        <Notice icon={IconTablePlus} title={messages.firstTable()} text={messages.firstTableText()}>
          <AddButton onClick={add}>{messages.addTable()}</AddButton>{" "}
          <Button variant="default" onClick={() => setTakingFile(true)}>
            {messages.addTableFromFile()}
          </Button>
        </Notice>
      ) : (
        <div className={classes.builder}>
          <TablesList open={opened} onAdd={add} onAddFromFile={() => setTakingFile(true)} />
          <div className={classes.editor}>
            <LookUpContext value={lookUp}>
              {opened && <TableEditor key={opened} id={opened} tab={tab} />}
            </LookUpContext>
          </div>
        </div>
      )}
    </Page>
  );
}

/**
 * The table to show: the one of the address, or the first. A new table that has got its id from the server is found by
 * its name.
 */
function useOpenTable(id: string | undefined): string | undefined {
  const { tables } = useDraft().draft;
  const [last, setLast] = useState<{ id: string; name: string }>();
  const named = last && last.id === id ? last.name : undefined;
  const table =
    tables.find((one) => idOfTable(one) === id) ??
    tables.find((one) => one.name === named) ??
    tables[0];
  const isOpen = table && (idOfTable(table) === id || table.name === named);
  if (isOpen && id !== undefined && table.name !== named) setLast({ id, name: table.name });
  return table && idOfTable(table);
}

/** Undo, redo and the link to the versions. */
function ModelTools() {
  const { store, canUndo, canRedo } = useDraft();
  return (
    <Group gap={4} wrap="nowrap">
      <IconButton
        label={messages.undoDraft()}
        tooltip={messages.undo()}
        size={36}
        disabled={!canUndo}
        onClick={() => store.undo()}
      >
        <IconArrowBackUp size={18} />
      </IconButton>
      <IconButton
        label={messages.redoDraft()}
        tooltip={messages.redo()}
        size={36}
        disabled={!canRedo}
        onClick={() => store.redo()}
      >
        <IconArrowForwardUp size={18} />
      </IconButton>
      <Button
        component={Link}
        href={VERSIONS}
        variant="default"
        leftSection={<IconHistory size={16} aria-hidden="true" />}
      >
        {messages.versions()}
      </Button>
    </Group>
  );
}

/**
 * Looks up targets of links in the draft. A table that is renamed in the draft is queried by its published name; an
 * unpublished one has no records.
 */
function useDraftLookUp(): LookUp {
  const { base, draft } = useDraft();
  return useMemo(() => draftLookUp(base, draft), [base, draft]);
}

function draftLookUp(base: Model, draft: Model): LookUp {
  const labels = pageLabels();
  const publishedField = (field: Field): Field | null => {
    if (field.type !== "link") return field;
    const target = draft.tables.find(({ name }) => name === field.target);
    const published = target && base.tables.find((table) => idOfTable(table) === idOfTable(target));
    return published ? { ...field, target: published.name } : null;
  };
  return {
    get(field, id) {
      const known = publishedField(field);
      return known ? labels.get(known, id) : undefined;
    },
    labelOf(field, id) {
      const known = publishedField(field);
      return known ? labels.labelOf(known, id) : undefined;
    },
    search(field, text) {
      const known = publishedField(field);
      return known ? labels.search(known, text) : Promise.resolve([]);
    },
    named(field, text) {
      const known = publishedField(field);
      return known ? labels.named(known, text) : Promise.resolve([]);
    },
    onArrived: (callback) => labels.onArrived(callback),
  };
}
