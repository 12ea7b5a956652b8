import { ActionIcon, Button, Group, Text } from "@mantine/core";
import { useMediaQuery } from "@mantine/hooks";
import { IconChevronLeft, IconChevronRight, IconDownload } from "@tabler/icons-react";
import { useEffect, useRef } from "react";
import { useLocation } from "wouter";
import { ID_FIELD } from "../../../../shared/filter/value-kinds.ts";
import { type Field, findTable, type Table } from "../../../../shared/model/model.ts";
import type {
  ChangeSetInfo,
  ImportCounts,
  ChangeSetPreview as Preview,
  PreviewItem,
  PreviewStatus,
} from "../../../../shared/protocol/change-sets.ts";
import { changeSetMessages as messages } from "../../messages/en/change-sets.ts";
import { isOfPendingFile, reopenPendingFile } from "../../state/pending-import.ts";
import { useModel } from "../../state/use-account.ts";
import { FormProblem } from "../../ui/form-problem.tsx";
import { ScreenSkeleton } from "../../ui/screen-skeleton.tsx";
import { useLabelUpdates } from "../fields/use-label-updates.ts";
import { plainName } from "../file-import/file-format.ts";
import { importAddress } from "../may-import.ts";
import { trailState } from "../record-trail.ts";
import classes from "./change-sets.module.css";
import { fieldProblemsOf } from "./failing-ops.ts";
import { countLabel, previewStatuses } from "./labels.ts";
import { cellText, isStored, PreviewRow, RejectedRowLine } from "./preview-row.tsx";
import { type OpenChangeSet, PREVIEW_PAGE } from "./use-change-set.ts";
import "../fields/marks.css";
import { BYTE_ORDER_MARK, rejectedLine } from "../../../../shared/csv-line.ts";
import { rowTexts } from "../../../../shared/error-texts/row-texts.ts";
import type { RejectedRow } from "../../../../shared/protocol/imports.ts";
import { addExplanations } from "../../messages/en/explanations.ts";
import { importMessages } from "../../messages/en/import.ts";
import { sentText } from "../../messages/error-text.ts";
import { rest } from "../../transport/rest/rest.ts";
import { useBusy } from "../../ui/use-action.ts";
import { useRemote } from "../../ui/use-remote.ts";

/**
 * What a change set does, or did: counts by kind, and a page of records with their cells before and after, errors, and
 * conflicts to resolve. `useChangeSet` opens the set, and `ChangeSetActions` has its buttons.
 */
export function ChangeSetPreview({ set }: { set: OpenChangeSet }) {
  useLabelUpdates();
  const { info, preview, part } = set;
  const list = useRef<HTMLElement>(null);
  const hadFocus = useRef(false);
  // A resolved conflict leaves the list together with its button, which had the focus; so does a corrected cell, and the next one follows.
  useEffect(() => {
    const isLost = preview !== null && !set.isBusy && document.activeElement === document.body;
    if (!hadFocus.current || !isLost) return;
    const next = list.current?.querySelector<HTMLElement>("[data-correct] button") ?? list.current;
    next?.focus({ preventScroll: next === list.current });
  }, [preview, set.isBusy]);
  if (!info) return null;
  const { rejected } = set;
  const columns = rejected?.fields;
  const inList = rejected && columns ? { columns, rows: rejected.items } : null;
  // Those of a draft are lines of the table, on this page or another one.
  const isInTable = set.isDraft && set.isOwn && (rejected === null || inList !== null);
  const trail = trailState(preview?.items.filter(isStored) ?? []);
  return (
    <>
      <FormProblem problem={set.problem} focus={set.isActionProblem} />
      {info.import && <ImportSummary {...info} file={info.import} />}
      {info.import && info.import.failed > 0 && !isInTable && (
        <Rejected id={info.id} total={info.import.failed} />
      )}
      <Progress set={set} />
      {info.isOutdated && preview?.total === 0 ? (
        <p className={classes.note}>{messages.outdated()}</p>
      ) : preview ? (
        <section
          ref={list}
          tabIndex={-1}
          className={classes.preview}
          aria-label={messages.preview()}
          aria-busy={set.isBusy}
          onFocus={() => {
            hadFocus.current = true;
          }}
        >
          <Filters set={set} preview={preview} />
          {part.status === "error" && set.isDraft && set.isOwn && <ResolveAll set={set} />}
          {preview.items.length === 0 && !inList && (
            <Text py={24} c="dimmed">
              {emptyText(part.status, info)}
            </Text>
          )}
          {tablesOf(preview.items, inList ? info.import?.table : undefined).map(([name, items]) => (
            <PreviewTable
              key={name}
              {...{ set, name, items, trail }}
              rejected={name === info.import?.table ? inList : null}
            />
          ))}
          <Pager set={set} total={preview.total + set.rejectedCount} />
        </section>
      ) : (
        <WithoutPreview set={set} />
      )}
    </>
  );
}

/** Items by their table; that of rejected rows is the first. */
function tablesOf(
  items: readonly PreviewItem[],
  ofFile: string | undefined,
): [string, PreviewItem[]][] {
  const tables = Map.groupBy(items, ({ table }) => table);
  if (ofFile === undefined) return [...tables];
  const first = tables.get(ofFile) ?? [];
  return [[ofFile, first], ...[...tables].filter(([name]) => name !== ofFile)];
}

interface RejectedRows {
  /** The field of each column of the file. */
  columns: readonly (string | null)[];
  rows: readonly RejectedRow[];
}

interface TableProps {
  set: OpenChangeSet;
  name: string;
  items: readonly PreviewItem[];
  /** The rejected rows of this table that are on the page. */
  rejected: RejectedRows | null;
  trail: ReturnType<typeof trailState>;
}

/** The ops on one table: a line for each record, a column for each field that any of them changes. */
function PreviewTable({ set, name, items, rejected, trail }: TableProps) {
  const table = findTable(useModel(), name);
  const fields = (table?.fields ?? []).filter(
    (field) => hasColumn(field, items) || (rejected && hasRejectedCell(field, rejected)),
  );
  const naming = table && namingField(table, fields, items);
  // What names a record that is added is in the first column already.
  const isAdded = items.every(({ op }) => op === "create");
  const isNarrow = useMediaQuery("(max-width: 768px)", undefined, NOW) ?? false;
  const isWrong = (field: Field) =>
    hasProblem(field, items) || (rejected !== null && isRejectedFor(field, rejected));
  const isShown = (field: Field) => !isAdded || field !== naming || isWrong(field);
  const ids = rejected && isRejectedFor(recordId(), rejected) ? [recordId()] : [];
  const all = [...ids, ...fields.filter(isShown)];
  // A screen that shows two columns begins with those where there is something to do.
  const shown = isNarrow ? all.toSorted((a, b) => +isWrong(b) - +isWrong(a)) : all;
  return (
    <section className={classes.sheet} aria-label={table?.label ?? name} tabIndex={-1}>
      <table>
        <thead>
          <tr>
            {set.isDraft && set.isOwn && <td />}
            <td />
            <th scope="col">{table?.label ?? name}</th>
            {shown.map((field) => (
              <th key={field.name} scope="col">
                {field.label}
              </th>
            ))}
          </tr>
        </thead>
        {rejected?.rows.map((row) => (
          <RejectedRowLine
            key={`line ${row.line}`}
            {...{ set, row, naming }}
            columns={rejected.columns}
            fields={shown}
          />
        ))}
        {items.map((item) => (
          <PreviewRow key={item.index} {...{ set, item, table, trail, naming }} fields={shown} />
        ))}
      </table>
    </section>
  );
}

/** The query is answered with the first look of the table. */
const NOW = { getInitialValueInEffect: false };

function hasProblem({ name }: Field, items: readonly PreviewItem[]): boolean {
  return items.some((item) => fieldProblemsOf(item)[name] !== undefined);
}

/** The column of ids, which is no field of the table. */
const recordId = (): Field => ({ name: ID_FIELD, label: importMessages.recordId(), type: "text" });

function isRejectedFor({ name }: Field, { rows }: RejectedRows): boolean {
  return rows.some(({ errors }) => errors.some(({ field }) => field === name));
}

function hasRejectedCell(field: Field, rejected: RejectedRows): boolean {
  const { columns, rows } = rejected;
  return (
    isRejectedFor(field, rejected) || rows.some((row) => cellText(row, columns, field.name) !== "")
  );
}

/** What names the records: the display field, or where a record gets that with its number only when it is added, its first text. */
function namingField(
  table: Table,
  fields: readonly Field[],
  items: readonly PreviewItem[],
): Field | undefined {
  const display = fields.find(({ name }) => name === table.display);
  const isNamed = items.some(({ after, op }) => op !== "create" || after?.[table.display] != null);
  return isNamed ? display : (fields.find(({ type }) => type === "text") ?? display);
}

/** Fields that the database fills by itself have none. */
function hasColumn({ name, recorded }: Field, items: readonly PreviewItem[]): boolean {
  return (
    recorded === undefined &&
    items.some(
      (item) =>
        item.erased?.includes(name) ||
        fieldProblemsOf(item)[name] !== undefined ||
        (item.before?.[name] ?? null) !== null ||
        (item.after?.[name] ?? null) !== null,
    )
  );
}

/** Why a list is empty: rows of a file that change nothing are counted but not listed. */
function emptyText(status: PreviewStatus | null, { import: file }: ChangeSetInfo): string {
  const isOnlyUnchanged = file !== null && file.unchanged > 0;
  if (isOnlyUnchanged && status === "unchanged") return messages.unchangedRows();
  if (isOnlyUnchanged && status === null) return messages.nothingChanges();
  if (file && file.failed > 0 && status === null) return messages.allRejected();
  return status ? messages.noChanges() : messages.emptyDraft();
}

function WithoutPreview({ set }: { set: OpenChangeSet }) {
  if (set.problem) return null;
  return (
    <>
      {set.isDraft && (
        <Text py={24} c="dimmed">
          {messages.checking()}
        </Text>
      )}
      <ScreenSkeleton />
    </>
  );
}

/** How far a set is applied; for an applied set, which ops were left out. */
function Progress({ set: { info, isOwn, isDraft, isVeryLarge } }: { set: OpenChangeSet }) {
  // The number of rows is known once the file has been read.
  if (!info || info.import?.isComplete === false) return null;
  const { applied, conflicts, refused, skipped, unchanged } = info.progress;
  const total = info.progress.total - unchanged;
  if (info.state === "applying") {
    const [done, all] = [applied + conflicts + refused, total - skipped];
    return (
      <div className={classes.progress}>
        <progress value={done} max={Math.max(all, 1)} aria-label={messages.applying()} />
        <span role="status">{messages.applyProgress({ done, total: all })}</span>
      </div>
    );
  }
  const note = () => {
    if (info.isOutdated) return null;
    if (isVeryLarge) return messages.veryLarge();
    if (isDraft) return info.origin === "revert" ? messages.revertNote() : null;
    if (!isOwn || applied === total) return null;
    if (info.state !== "cancelled") {
      return messages.partlyApplied({ applied, total, left: total - applied });
    }
    return applied > 0 ? messages.stoppedAfter({ applied, total }) : null;
  };
  const text = note();
  return text && <p className={classes.note}>{text}</p>;
}

function Filters({ set, preview }: { set: OpenChangeSet; preview: Preview }) {
  const failed = set.isDraft && set.isOwn ? (set.info?.import?.failed ?? 0) : 0;
  const counts = { ...preview.counts, error: preview.counts.error + failed };
  const all = Object.values(counts).reduce((sum, count) => sum + count, 0);
  const shown = previewStatuses.filter(
    (status) => counts[status] > 0 || status === set.part.status,
  );
  const options = [
    { status: null, label: messages.allChanges({ count: all }) },
    ...shown.map((status) => ({
      status,
      label: countLabel(status, counts[status], set.isDraft),
    })),
  ];
  return (
    <Group component="fieldset" gap={6} align="stretch" aria-label={messages.filter()}>
      {options.map(({ status, label }) => (
        <Button
          key={status ?? ""}
          size="compact-sm"
          variant={set.part.status === status ? "light" : "subtle"}
          {...(status === "error" && set.part.status !== status && { color: "red" })}
          aria-pressed={set.part.status === status}
          onClick={() => set.show({ status, offset: 0 })}
        >
          {label}
        </Button>
      ))}
    </Group>
  );
}

function ResolveAll({ set }: { set: OpenChangeSet }) {
  const hasConflicts = set.preview?.items.some(({ errors }) => errors[0]?.code === "conflict");
  if (!hasConflicts) return null;
  return (
    <fieldset className={classes.resolveAll}>
      <legend>{messages.conflictsHere()}</legend>
      <Button size="compact-sm" disabled={set.isBusy} onClick={() => void set.resolveAll("mine")}>
        {messages.keepAllMine()}
      </Button>
      <Button
        size="compact-sm"
        variant="default"
        disabled={set.isBusy}
        onClick={() => void set.resolveAll("theirs")}
      >
        {messages.takeAllTheirs()}
      </Button>
    </fieldset>
  );
}

function Pager({ set, total }: { set: OpenChangeSet; total: number }) {
  const { part, show } = set;
  if (total <= PREVIEW_PAGE) return null;
  const to = Math.min(part.offset + PREVIEW_PAGE, total);
  const move = (by: number) => show({ ...part, offset: Math.max(0, part.offset + by) });
  return (
    <Group component="nav" gap={12} justify="center" wrap="nowrap" c="dimmed" fz="sm">
      <ActionIcon
        aria-label={messages.previousPage()}
        disabled={part.offset === 0}
        onClick={() => move(-PREVIEW_PAGE)}
      >
        <IconChevronLeft size={18} aria-hidden="true" />
      </ActionIcon>
      <span role="status">{messages.range({ from: part.offset + 1, to, total })}</span>
      <ActionIcon
        aria-label={messages.nextPage()}
        disabled={to >= total}
        onClick={() => move(PREVIEW_PAGE)}
      >
        <IconChevronRight size={18} aria-hidden="true" />
      </ActionIcon>
    </Group>
  );
}

interface Props {
  file: ImportCounts;
}

/** The outcomes of the rows of the file that a change set was made of; rejected rows can be downloaded. */
function ImportSummary({ id, state, file }: Pick<ChangeSetInfo, "id" | "state"> & Props) {
  const { isBusy, run } = useBusy();
  const [, navigate] = useLocation();
  /** The draft of the columns as they were is of no use then. */
  const changeColumns = async () => {
    await rest("DELETE /change-sets/{id}", { params: { id } });
    reopenPendingFile();
    navigate(importAddress(file.table));
  };
  const { isComplete, rows, created, updated, unchanged, superseded, failed } = file;
  const parts = [
    { count: created, text: importMessages.added },
    { count: updated, text: importMessages.changed },
    { count: unchanged, text: importMessages.unchanged },
    { count: superseded, text: importMessages.superseded },
    { count: failed, text: importMessages.rejected },
  ];
  const shown = parts.filter(({ count }) => count > 0).map(({ count, text }) => text({ count }));
  return (
    <Group
      component="section"
      className={classes.note ?? ""}
      gap="8px 16px"
      justify="space-between"
      aria-label={importMessages.result()}
    >
      <span>
        {!isComplete &&
          (state === "cancelled" ? importMessages.interrupted() : importMessages.incomplete())}{" "}
        {(isComplete || rows > 0) && `${importMessages.rows({ count: rows })} ${shown.join(" · ")}`}
      </span>
      {state === "draft" && isOfPendingFile(id) && (
        <Button
          variant="default"
          size="compact-sm"
          loading={isBusy}
          onClick={() => void run(changeColumns)}
        >
          {importMessages.changeColumns()}
        </Button>
      )}
      {failed > 0 && (
        <Button
          variant="default"
          size="compact-sm"
          leftSection={<IconDownload size={15} aria-hidden="true" />}
          loading={isBusy}
          onClick={() => void run(() => downloadRejects(id))}
        >
          {importMessages.download()}
        </Button>
      )}
    </Group>
  );
}

addExplanations(rowTexts);

/** Rejected rows that are listed on the screen; all of them are in the file. */
const LISTED_REJECTS = 20;

/** The first rejected rows: line, reasons, and the row as it was. */
function Rejected({ id, total }: { id: string; total: number }) {
  const { data } = useRemote(
    () => {
      const call = { params: { id }, query: { limit: LISTED_REJECTS } };
      return rest("GET /change-sets/{id}/rejects", call);
    },
    { key: `${id} ${total}` },
  );
  if (!data || data.items.length === 0) return null;
  return (
    <details className={classes.rejects} open>
      <summary>{importMessages.rejectedRows({ count: total })}</summary>
      <section className={classes.sheet} aria-label={importMessages.rejectedRows({ count: total })}>
        <table>
          <thead>
            <tr>
              <th scope="col">{importMessages.lineHead()}</th>
              <th scope="col">{importMessages.reasonHead()}</th>
              {data.header.map((column, at) => (
                // biome-ignore lint/suspicious/noArrayIndexKey: two columns of a file may have one name.
                <th key={at} scope="col" dir="auto">
                  {column}
                </th>
              ))}
            </tr>
          </thead>
          <tbody>
            {data.items.map((row) => (
              <tr key={row.line}>
                <th scope="row">{row.line}</th>
                <td>{reasonsOf(row)}</td>
                {row.cells.map((cell, at) => (
                  // biome-ignore lint/suspicious/noArrayIndexKey: the cells of a row that is only read.
                  <td key={at} dir="auto" data-bad={isRefused(row, data.header, at) || undefined}>
                    {cell}
                  </td>
                ))}
              </tr>
            ))}
          </tbody>
        </table>
      </section>
      {total > data.items.length && (
        <p>{importMessages.moreRejected({ count: total - data.items.length })}</p>
      )}
    </details>
  );
}

/** Whether a cell is the reason why its row was rejected: its column is that of the field, or it has the value. */
function isRefused({ cells, errors }: RejectedRow, header: readonly string[], at: number): boolean {
  return errors.some(({ field, value }) =>
    value === undefined
      ? field !== undefined && plainName(header[at] ?? "") === plainName(field)
      : cells[at] === value,
  );
}

/** Saves the rejected rows of a set's file as CSV, with the reasons in the language of the interface. */
async function downloadRejects(id: string): Promise<void> {
  const lines: string[] = [];
  for (let after = 0; ; ) {
    const call = { params: { id }, query: { after } };
    const { header, items } = await rest("GET /change-sets/{id}/rejects", call);
    if (after === 0)
      lines.push(rejectedLine([importMessages.line(), importMessages.reason(), ...header]));
    lines.push(
      ...items.map((row) => rejectedLine([String(row.line), reasonsOf(row), ...row.cells])),
    );
    const last = items.at(-1);
    if (!last) break;
    after = last.line;
  }
  save("rejected-rows.csv", new Blob([BYTE_ORDER_MARK, ...lines], { type: "text/csv" }));
}

function reasonsOf({ errors }: Pick<RejectedRow, "errors">): string {
  const reasons = errors.map((error) => {
    const reason = sentText(error.message, error);
    const { field, value } = error;
    const place = value === undefined ? field : `${field} “${value}”`;
    return place === undefined ? reason : `${place}: ${reason}`;
  });
  return reasons.join(" ");
}

function save(name: string, file: Blob): void {
  const link = document.createElement("a");
  link.href = URL.createObjectURL(file);
  link.download = name;
  link.click();
  URL.revokeObjectURL(link.href);
}
