import { Button } from "@mantine/core";
import { IconFileOff, IconPlugConnectedX } from "@tabler/icons-react";
import { useCallback, useEffect, useRef, useState, useSyncExternalStore } from "react";
import { useLocation } from "wouter";
import { useHistoryState } from "wouter/use-browser-location";
import type { Json } from "../../../../shared/filter/filter.ts";
import { isRandomId, recordTitle } from "../../../../shared/model/display-text.ts";
import { recordAddress, tableAddress } from "../../../../shared/record-address.ts";
import { recordMessages as messages } from "../../messages/en/record.ts";
import { recordAddressFrom } from "../../records/record-address.ts";
import {
  copyState,
  linkedOf,
  neighbourIn,
  originalOf,
  type RecordPlace,
  recordTrailOf,
} from "../../records/record-trail.ts";
import type { RecordView } from "../../state/record-view.ts";
import { tableAtom } from "../../state/table-state.ts";
import { useAbilities, useTable } from "../../state/use-account.ts";
import { watchAtom } from "../../state/watch-atom.ts";
import { neighbourOf } from "../../sync/page/front-list.ts";
import { pageCore } from "../../sync/page/page-core.ts";
import { authorName } from "../../ui/author-name.ts";
import { Notice } from "../../ui/notice.tsx";
import { toastProblem } from "../../ui/toast.tsx";
import { useLatest } from "../../ui/use-latest.ts";
import { useHistory } from "./history/use-history.ts";
import { OpenLinkedProvider } from "./linked/open-linked.ts";
import { type HeaderProps, PanelHeader } from "./panel-header.tsx";
import classes from "./record.module.css";
import { OfflineNote } from "./record-banners.tsx";
import { RecordBody } from "./record-body.tsx";
import { titleField } from "./title-field.ts";
import { onUndoKey } from "./undo-keys.ts";
import { useNeighbours } from "./use-neighbours.ts";
import { type OpenRecordState, useOpenRecord } from "./use-open-record.ts";
import { useReadInbox } from "./use-read-inbox.ts";
import { Waiting } from "./waiting.tsx";

interface Props {
  table: string;
  record: string;
  /** The address of another record, or of none; by default beside the grid. */
  addressOf?: (record: string | null) => string;
}

/**
 * One record beside its table, live: form, comments, history. Records that are opened by links from it lie on top, until
 * the user returns. It takes the focus when it opens, unless the user types elsewhere by then, returns it to the grid when it
 * closes, and reports the user's presence on the record. A new record that the server gives another id stays open, with what is being typed in it.
 */
export function RecordPanel(props: Props) {
  const { table, record } = props;
  const [opened, setOpened] = useState(record);
  const isOpen = opened === record || pageCore().edits.currentId(table, opened) === record;
  if (!isOpen) setOpened(record);
  return <OpenPanel key={isOpen ? opened : record} {...props} />;
}

function OpenPanel({ table, record, addressOf }: Props) {
  const [, navigate] = useLocation();
  const state: unknown = useHistoryState();
  const [opened, setOpened] = useState(() => openedBy(state));
  useEffect(() => setOpened(openedBy(state)), [state]);
  const navigateTo = (to: string | null, options: { replace?: boolean; state?: unknown } = {}) => {
    const address = to === null ? tableAddress(table) : recordAddress(table, to);
    navigate(addressOf?.(to) ?? `${address}${location.search}`, options);
  };
  const currentId = useCurrentId(table, record);
  const latestNavigate = useLatest(navigateTo);
  useEffect(() => {
    if (currentId === record) return;
    latestNavigate.current(currentId, { replace: true, state: history.state });
  }, [currentId, record]);
  // Where a copy is taken back, what it was made of is shown again.
  const original = originalOf(state);
  const top = opened.at(-1);
  const shown = top ?? { table, record };
  const trail = top ? top.among : recordTrailOf(state);
  const neighbours = useNeighbours(shown, trail);
  const steps = useRef(0);
  useEffect(
    () => () => {
      steps.current += 1;
    },
    [],
  );
  const step = async (by: 1 | -1) => {
    const place = trail && neighbourIn(trail, shown, by);
    if (top) {
      if (place) setOpened([...opened.slice(0, -1), { ...place, among: top.among }]);
    } else if (trail) {
      if (place) navigate(recordAddressFrom(location, place.table, place.record), { state });
    } else {
      // The row may have to be read: meanwhile the user may have gone elsewhere, or asked again.
      steps.current += 1;
      const own = steps.current;
      const next = await neighbourOf(table, record, by).catch((error: unknown) => {
        if (own === steps.current) throw error;
        return null;
      });
      if (next !== null && own === steps.current) navigateTo(next);
    }
  };
  const back = () => {
    setOpened(opened.slice(0, -1));
    // A reload shows what is on the screen: not the linked record once more.
    const isLast = opened.length === 1 && linkedOf(state) !== null;
    if (isLast) navigate(`${location.pathname}${location.search}`, { replace: true });
  };
  return (
    <OpenLinkedProvider value={(place, among = []) => setOpened([...opened, { ...place, among }])}>
      <Panel
        key={top ? `${opened.length} ${top.table} ${top.record}` : 0}
        {...shown}
        neighbours={neighbours}
        onStep={top && top.among.length < 2 ? null : (by) => void step(by).catch(toastProblem)}
        onDuplicated={(copy) => {
          if (top)
            setOpened([...opened.slice(0, -1), { table: top.table, record: copy, among: [] }]);
          else navigateTo(copy, { state: copyState(record) });
        }}
        onGone={() => {
          if (!top && original !== null) navigateTo(original, { replace: true });
        }}
        onBack={top ? back : null}
        onClose={() => navigateTo(null)}
      />
    </OpenLinkedProvider>
  );
}

/** A record that was opened by a link, and the list that the link was in. */
interface Opened extends RecordPlace {
  among: readonly RecordPlace[];
}

/** The linked record with which the panel was opened. */
function openedBy(state: unknown): readonly Opened[] {
  const linked = linkedOf(state);
  return linked ? [{ ...linked, among: [] }] : [];
}

interface PanelProps
  extends RecordPlace,
    Pick<HeaderProps, "neighbours" | "onStep" | "onDuplicated" | "onBack" | "onClose"> {
  /** The record was deleted while it was open, or is not there. */
  onGone(): void;
}

function Panel(props: PanelProps) {
  const { table: name, record: opened, neighbours, onStep, onDuplicated, onBack, onClose } = props;
  const id = useCurrentId(name, opened);
  const table = useTable(name);
  const abilities = useAbilities().tables[name];
  const state = useOpenRecord(name, id);
  const panel = useRef<HTMLElement>(null);
  useEffect(() => {
    pageCore().presence.set(name, { record: id, mode: "viewing" });
  }, [name, id]);
  useEffect(() => {
    if (!isTypingBeside()) panel.current?.focus({ preventScroll: true });
  }, []);
  const isMissing = state.kind === "missing";
  const isGone = isMissing || (state.kind === "shown" && state.record.mark === "deleted");
  const latestGone = useLatest(props.onGone);
  useEffect(() => {
    if (isGone) latestGone.current();
  }, [isGone]);
  const { record, isLoading } = useShownRecord(name, id, state, abilities?.history === true);
  useReadInbox(name, id, record !== null && record.pending !== "draft");
  if (!table || !abilities?.read) return null;
  return (
    <aside
      ref={panel}
      className={classes.panel}
      aria-label={
        isRandomId(id) ? recordTitle(table, id, record?.values) : `${table.recordLabel} ${id}`
      }
      tabIndex={-1}
      onKeyDown={(event) => {
        // A menu or popover of the panel is drawn outside it and closes itself alone.
        const isOwn = panel.current?.contains(event.target as Node) && !event.defaultPrevented;
        if (event.key === "Escape" && isOwn) (onBack ?? onClose)();
        onUndoKey(event, name);
      }}
    >
      <PanelHeader
        table={table}
        abilities={abilities}
        id={id}
        record={record}
        isLoading={isLoading}
        title={record && titleField(table, abilities, record)}
        neighbours={neighbours}
        onStep={onStep}
        onDuplicated={onDuplicated}
        onBack={onBack}
        onClose={onClose}
      />
      <OfflineNote />
      {isLoading && <Waiting label={messages.loading()} />}
      {isMissing && !isLoading && !record && (
        <Notice
          icon={IconFileOff}
          title={messages.notFound()}
          text={messages.notFoundText({ record: table.recordLabel })}
        >
          <Button variant="light" onClick={onClose}>
            {messages.backTo({ table: table.label.toLowerCase() })}
          </Button>
        </Notice>
      )}
      {state.kind === "failed" && (
        <Notice icon={IconPlugConnectedX} title={messages.notLoaded()} text={state.message} />
      )}
      {record && (
        <RecordBody
          table={table}
          abilities={abilities}
          record={record}
          onDiscarded={onBack ?? onClose}
        />
      )}
    </aside>
  );
}

/**
 * Whether the user types in another field. The panel appears a moment after it was asked for: its code is loaded, or the browser
 * is busy. Taking the focus then would end the edit in the middle of a word, and the rest would reach the grid as keys.
 */
function isTypingBeside(): boolean {
  const input = document.activeElement?.closest('input:not([type="checkbox"]), textarea');
  return input != null && input.closest('[role="dialog"]') === null;
}

/** The id of a record that was opened by this one. The server may give a new record another id. */
function useCurrentId(table: string, record: string): string {
  const subscribe = useCallback(
    (onChange: () => void) => watchAtom(tableAtom(table), onChange),
    [table],
  );
  return useSyncExternalStore(subscribe, () => pageCore().edits.currentId(table, record));
}

/**
 * The record that the panel shows. One that was deleted, also while it was open, has the values that it had then, as far
 * as its history shows them to the user. Null if there is none, or as long as that is not known.
 */
function useShownRecord(
  table: string,
  record: string,
  state: OpenRecordState,
  hasHistory: boolean,
): { record: RecordView | null; isLoading: boolean } {
  const live = state.kind === "shown" ? state.record : null;
  const isGone = state.kind === "missing" || live?.mark === "deleted";
  const history = useHistory(table, record, live?.version ?? null, isGone && hasHistory);
  const [last, setLast] = useState<RecordView | null>(null);
  if (live && !isGone && live !== last) setLast(live);
  if (!isGone || !hasHistory) return { record: live, isLoading: state.kind === "loading" };
  if (history.kind === "loading") {
    // Whether it was deleted or has left what the user may see is not known yet: the form stays as it is.
    const before = last?.id === record ? last : null;
    return { record: before, isLoading: before === null };
  }
  const [entry] = history.kind === "shown" ? history.entries : [];
  if (entry?.kind !== "delete") return { record: live, isLoading: false };
  const values: Record<string, Json> = {};
  for (const [name, { before }] of Object.entries(entry.fields)) values[name] = before;
  const nothing = { confirmed: null, version: null, cells: {}, pending: null, problem: null };
  const markedBy = authorName(entry.by);
  const view = { ...nothing, id: record, ...live, values, mark: "deleted" as const, markedBy };
  return { record: view, isLoading: false };
}
