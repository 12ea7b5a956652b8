import { Button } from "@mantine/core";
import { IconFilterOff } from "@tabler/icons-react";
import {
  type KeyboardEvent,
  type RefObject,
  useCallback,
  useEffect,
  useMemo,
  useRef,
  useState,
  useSyncExternalStore,
} from "react";
import { useLocation, useSearchParams } from "wouter";
import { recordCard } from "../../../../shared/model/record-card.ts";
import { boardMessages as messages } from "../../messages/en/board.ts";
import { authorColour } from "../../records/fields/author-colour.ts";
import { EditStatusPopover } from "../../records/fields/edit-status-popover.tsx";
import { isLoadFailure, NotLoaded } from "../../records/not-loaded.tsx";
import { searchWithRecord } from "../../records/record-address.ts";
import { runUndoStep } from "../../records/undo.ts";
import { ChangedViewButton } from "../../records/views/changed-view-button.tsx";
import { type CurrentView, useReportWork } from "../../records/views/use-current-view.ts";
import { presenceAtom } from "../../state/table-state.ts";
import { readAtom } from "../../state/watch-atom.ts";
import { setFrontRecords } from "../../sync/page/front-list.ts";
import { valuesForNew } from "../../sync/page/new-values.ts";
import { pageCore } from "../../sync/page/page-core.ts";
import { pageLabels } from "../../sync/page/page-labels.ts";
import type { ViewQuery } from "../../sync/rows/view-query.ts";
import { flashElement } from "../../ui/flash-element.ts";
import { Notice } from "../../ui/notice.tsx";
import { useLatest } from "../../ui/use-latest.ts";
import { useStable } from "../../ui/use-stable.ts";
import classes from "./board.module.css";
import type { BoardActions } from "./board-actions.ts";
import { BoardColumnView } from "./board-column.tsx";
import { type BoardColumn, BoardModel } from "./board-model.ts";
import { CardMenu } from "./card-menu.tsx";
import type { BoardRules } from "./evaluate-drop.ts";
import { type ColumnValue, columnFilter, columnOf, type Grouping } from "./grouping.ts";
import { type CardActions, useCardActions } from "./use-card-actions.ts";
import { useCardPopover } from "./use-card-popover.ts";
import { useColumnTotals } from "./use-column-totals.ts";
import { useRestoreFocus } from "./use-restore-focus.ts";

interface Props {
  rules: BoardRules;
  view: ViewQuery;
  current: CurrentView;
  /** Removes filter, search and sort order. */
  onClear(): void;
}

/** The columns of one grouping, live. Cards are moved by dragging or by their menu. */
export function BoardColumns({ rules, view, current, onClear }: Props) {
  const { table, grouping } = rules;
  const { model, columns } = useBoard(table.name, grouping, view);
  const totals = useColumnTotals(model, rules, view, current.view);
  const cardActions = useCardActions(rules, model);
  const board = useRef<HTMLDivElement>(null);
  const menu = useCardPopover(board);
  const editStatus = useCardPopover(board);
  const [params] = useSearchParams();
  const [, navigate] = useLocation();
  const opened = params.get("record");
  const { retryRef, ...focus } = useRestoreFocus(board);
  useCardFlashes(model, table.name, board);
  const reportFocus = useReportPresence(table.name, opened);
  const actions = useLatestActions(params, {
    onOpenMenu: menu.show,
    onShowEditStatus: editStatus.show,
    onFocus: reportFocus,
    onDrag: cardActions.drag,
    onDrop: cardActions.drop,
    onShowMore: (value) => model?.showMore(value),
    ...newCards(rules, view, (record) => navigate(searchWithRecord(params, record))),
  });
  useReportWork(current, () => {
    const card = document.activeElement?.closest("[data-card]") ?? null;
    return menu.open !== null || editStatus.open !== null || board.current?.contains(card) === true;
  });
  const cardOf = ({ open }: typeof menu) => (open ? model?.get(open.record) : undefined);
  const refusal = columns.find((column) => column.refusal)?.refusal;
  if (refusal) {
    return isLoadFailure(refusal) && refusal.code !== "invalid_request" ? (
      <NotLoaded failure={refusal} buttonRef={retryRef} onRetry={() => model?.retry()} />
    ) : (
      <ViewNotAvailable onClear={onClear} />
    );
  }
  return (
    <>
      {/* biome-ignore lint/a11y/noStaticElementInteractions: handles the keys of the cards in it. */}
      <div
        ref={board}
        className={classes.board}
        onKeyDown={(event) => onKey(event, table.name, cardActions.shift)}
        {...focus}
      >
        <Columns {...{ rules, model, columns, totals, cardActions, opened, actions }} />
      </div>
      <div className={classes.waiting}>
        <ChangedViewButton current={current} />
      </div>
      <CardMenu
        rules={rules}
        open={menu.open}
        view={cardOf(menu)}
        cardActions={cardActions}
        onClose={menu.close}
      />
      {editStatus.open && (
        <EditStatusPopover
          key={editStatus.open.record}
          element={() => editStatus.open?.element}
          field={grouping.field}
          state={cardOf(editStatus)?.cells[grouping.field.name]}
          edits={pageCore().edits}
          onClose={editStatus.close}
        />
      )}
      {cardActions.dialog}
    </>
  );
}

interface ColumnsProps {
  rules: BoardRules;
  model: BoardModel | null;
  columns: readonly BoardColumn[];
  totals(column: ColumnValue): readonly string[];
  cardActions: CardActions;
  opened: string | null;
  actions: BoardActions;
}

/** A required field has no column for records without a value, unless there are such records. */
function Columns({ rules, model, columns, totals, cardActions, ...props }: ColumnsProps) {
  const { table, grouping } = rules;
  const { field } = grouping;
  const card = useMemo(() => recordCard(table), [table]);
  const shown = columns.filter(
    ({ value, total }) => value !== null || !field.required || total > 0,
  );
  return shown.map((column) => (
    <BoardColumnView
      key={column.value}
      column={column}
      table={table}
      field={field}
      card={card}
      totals={totals(column.value)}
      opened={props.opened}
      refused={cardActions.refused}
      drop={cardActions.dropFor(column.value)}
      actions={props.actions}
    />
  ));
}

/** Actions that stay the same object while the address does, so that they do not render every card again. */
function useLatestActions(
  params: URLSearchParams,
  actions: Omit<BoardActions, "addressOf">,
): BoardActions {
  const latest = useLatest(actions);
  return useMemo(
    () => ({
      addressOf: (record) => searchWithRecord(params, record),
      onOpenMenu: (record, element) => latest.current.onOpenMenu(record, element),
      onShowEditStatus: (record, element) => latest.current.onShowEditStatus(record, element),
      onFocus: (record) => latest.current.onFocus(record),
      onDrag: (record) => latest.current.onDrag(record),
      onDrop: (value) => latest.current.onDrop(value),
      onShowMore: (value) => latest.current.onShowMore(value),
      canAdd: (value) => latest.current.canAdd(value),
      onAdd: (value) => latest.current.onAdd(value),
    }),
    [params],
  );
}

/** New records begin in a column if its value, and the filter of the view, can be theirs from the start. */
function newCards(
  { table, abilities, grouping }: BoardRules,
  view: ViewQuery,
  open: (record: string) => void,
): Pick<BoardActions, "canAdd" | "onAdd"> {
  const valuesIn = (value: ColumnValue) =>
    valuesForNew(table, abilities, columnFilter(view.filter, grouping, value), view.zone);
  return {
    canAdd: (value) => abilities.create && columnOf(grouping, valuesIn(value)) === value,
    onAdd: (value) => open(pageCore().edits.draft(table.name, valuesIn(value))),
  };
}

/** Undo and redo as in the table. The arrow keys go from card to card; with Shift they move the card. */
function onKey(
  event: KeyboardEvent<HTMLElement>,
  table: string,
  shift: CardActions["shift"],
): void {
  const key = event.key.toLowerCase();
  const card = event.target instanceof Element && event.target.closest("[data-card]");
  const step = key === "arrowright" ? 1 : key === "arrowleft" ? -1 : 0;
  if (card && step !== 0 && event.shiftKey && !event.ctrlKey && !event.metaKey && !event.altKey) {
    event.preventDefault();
    shift(card.getAttribute("data-card") ?? "", step);
    return;
  }
  if ((event.ctrlKey || event.metaKey) && !event.altKey && (key === "z" || key === "y")) {
    event.preventDefault();
    void runUndoStep(pageCore().undo, key === "y" || event.shiftKey ? "redo" : "undo", { table });
  } else moveFocus(event);
}

function ViewNotAvailable({ onClear }: { onClear(): void }) {
  return (
    <Notice icon={IconFilterOff} title={messages.viewInvalid()} text={messages.viewInvalidText()}>
      <Button variant="light" onClick={onClear}>
        {messages.showAll()}
      </Button>
    </Notice>
  );
}

/** Reports the focused card, unless a record is open, whose panel reports it. Returns the function to call for a card. */
function useReportPresence(table: string, opened: string | null): (record: string) => void {
  useEffect(() => {
    if (!opened) pageCore().presence.set(table, { mode: "viewing" });
    return () => pageCore().presence.leave(table);
  }, [table, opened]);
  return useCallback(
    (record) => {
      if (!opened) pageCore().presence.set(table, { record, mode: "viewing" });
    },
    [table, opened],
  );
}

/** Highlights the cards that others have changed. React is not involved: of 200 in a second it would render each twice more. */
function useCardFlashes(
  model: BoardModel | null,
  table: string,
  board: RefObject<HTMLElement | null>,
): void {
  useEffect(
    () =>
      model?.onFlashes((flashes) => {
        const authors = new Map(flashes.map(({ record, by }) => [record, by]));
        // A card that moves to another column is another element when the next task runs.
        setTimeout(() => {
          const present = readAtom(presenceAtom(table));
          for (const card of board.current?.querySelectorAll<HTMLElement>("[data-card]") ?? []) {
            const by = authors.get(card.dataset.card ?? "");
            const colour = present.find(({ id }) => id === by?.id)?.colour;
            if (by) flashElement(card, authorColour(pageLabels(), by, colour), "card");
          }
        });
      }),
    [model, table, board],
  );
}

/** Arrow keys go from card to card: up and down within a column, left and right to its neighbours. */
function moveFocus(event: KeyboardEvent<HTMLElement>): void {
  const card = event.target instanceof HTMLElement && event.target.closest("[data-card]");
  if (!card || event.altKey || event.ctrlKey || event.metaKey) return;
  const columns = [...event.currentTarget.querySelectorAll("[data-column]")].map((column) => [
    ...column.querySelectorAll<HTMLElement>("[data-card]"),
  ]);
  const at = columns.findIndex((cards) => cards.includes(card as HTMLElement));
  const row = columns[at]?.indexOf(card as HTMLElement) ?? 0;
  const next = neighbour(columns, at, row, event.key);
  if (!next) return;
  event.preventDefault();
  next.querySelector<HTMLElement>("a")?.focus();
}

function neighbour(
  columns: readonly HTMLElement[][],
  at: number,
  row: number,
  key: string,
): HTMLElement | undefined {
  if (key === "ArrowDown") return columns[at]?.[row + 1];
  if (key === "ArrowUp") return columns[at]?.[row - 1];
  const step = key === "ArrowRight" ? 1 : key === "ArrowLeft" ? -1 : 0;
  if (step === 0) return undefined;
  for (let to = at + step; to >= 0 && to < columns.length; to += step) {
    const cards = columns[to] ?? [];
    if (cards.length > 0) return cards[Math.min(row, cards.length - 1)];
  }
  return undefined;
}

const nothing: readonly BoardColumn[] = [];
const noColumns = () => nothing;
const noChange = () => () => {};

/** Follows a table as a board while the screen is mounted. */
function useBoard(
  table: string,
  grouping: Grouping,
  view: ViewQuery,
): {
  model: BoardModel | null;
  columns: readonly BoardColumn[];
} {
  const [model, setModel] = useState<BoardModel | null>(null);
  const by = useStable(grouping);
  const latest = useLatest(view);
  useEffect(() => {
    const made = new BoardModel(pageCore().openTable(table), table, by, latest.current);
    setModel(made);
    const records = () => made.columns().flatMap(({ cards }) => cards.map(({ id }) => id));
    const leave = setFrontRecords(table, records, made.subscribe);
    return () => {
      leave();
      setModel(null);
      made.close();
    };
  }, [table, by]);
  useEffect(() => model?.setView(view), [model, view]);
  const columns = useSyncExternalStore(model?.subscribe ?? noChange, model?.columns ?? noColumns);
  return { model, columns };
}
