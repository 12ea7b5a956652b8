import { Button } from "@mantine/core";
import { IconFilterOff } from "@tabler/icons-react";
import { type KeyboardEvent, useCallback, useMemo, useRef, useState } from "react";
import { useSearchParams } from "wouter";
import { usePresence } from "../../state/use-presence.ts";
import { pageCore } from "../../sync/page/page-core.ts";
import { pageLabels } from "../../sync/page/page-labels.ts";
import type { ViewQuery } from "../../sync/window/record-window.ts";
import { useArrivals } from "../../ui/fields/use-arrivals.ts";
import { Notice } from "../../ui/notice.tsx";
import { searchWithRecord } from "../../ui/record-address.ts";
import { takeStep } from "../../ui/undo.ts";
import classes from "./board.module.css";
import type { BoardActions } from "./board-actions.ts";
import { BoardColumnView } from "./board-column.tsx";
import type { BoardColumn, BoardModel } from "./board-model.ts";
import { cardFields } from "./card-fields.ts";
import { CardMenu, type OpenCard } from "./card-menu.tsx";
import { CardStory } from "./card-story.tsx";
import type { BoardRules } from "./drop-on.ts";
import { moveFocus } from "./move-focus.ts";
import { useBoard } from "./use-board.ts";
import { type CardDeeds, useCardDeeds } from "./use-card-deeds.ts";
import { useKeepFocus } from "./use-keep-focus.ts";
import { useOwnPlace } from "./use-own-place.ts";

interface Props {
  rules: BoardRules;
  view: ViewQuery;
  /** Shows the table without filter and search. */
  onClear(): void;
}

/** The columns of one grouping, live; a card is moved by dragging it or by its menu. */
export function BoardStage({ rules, view, onClear }: Props) {
  const { table, grouping } = rules;
  const { model, columns } = useBoard(table.name, grouping, view);
  const deeds = useCardDeeds(rules, model);
  const [menu, setMenu] = useState<OpenCard | null>(null);
  const [story, setStory] = useState<OpenCard | null>(null);
  const closeStory = useCallback(() => setStory(null), []);
  const [params] = useSearchParams();
  const opened = params.get("record");
  const board = useRef<HTMLDivElement>(null);
  const focus = useKeepFocus(board);
  const onFocus = useOwnPlace(table.name, opened);
  const actions: BoardActions = {
    addressOf: (record) => searchWithRecord(params, record),
    onMenu: (record, element) => setMenu({ record, element }),
    onStory: (record, element) => setStory({ record, element }),
    onFocus,
    onDrag: deeds.drag,
    onDrop: deeds.drop,
    onMore: (value) => model?.showMore(value),
  };
  const cardOf = (at: OpenCard | null) => (at ? model?.get(at.record) : undefined);
  if (columns.some(({ refused }) => refused)) return <Refused onClear={onClear} />;
  return (
    <>
      {/* biome-ignore lint/a11y/noStaticElementInteractions: hears the keys of the cards in it. */}
      <div
        ref={board}
        className={classes.board}
        onKeyDown={(event) => onKey(event, table.name)}
        {...focus}
      >
        <Columns {...{ rules, model, columns, deeds, opened, actions }} />
      </div>
      <CardMenu
        rules={rules}
        open={menu}
        view={cardOf(menu)}
        deeds={deeds}
        onClose={() => setMenu(null)}
      />
      <CardStory field={grouping.field} open={story} view={cardOf(story)} onClose={closeStory} />
      {deeds.dialog}
    </>
  );
}

interface ColumnsProps {
  rules: BoardRules;
  model: BoardModel | null;
  columns: readonly BoardColumn[];
  deeds: CardDeeds;
  opened: string | null;
  actions: BoardActions;
}

/** Every record of a required field has a value: the column of those without any stands only if one has none. */
function Columns({ rules, model, columns, deeds, opened, actions }: ColumnsProps) {
  const { table, abilities, grouping } = rules;
  const { field } = grouping;
  const people = usePresence([table.name]);
  const labels = pageLabels();
  useArrivals(labels);
  const fields = useMemo(
    () => cardFields(table, abilities.fields, field.name),
    [table, abilities, field],
  );
  const shown = columns.filter(
    ({ value, total }) => value !== null || !field.required || total > 0,
  );
  return shown.map((column) => (
    <BoardColumnView
      key={column.value}
      column={column}
      table={table}
      field={field}
      fields={fields}
      labels={labels}
      people={people}
      opened={opened}
      refused={deeds.refused}
      drop={deeds.dropOn(column.value)}
      flashedBy={(record) => model?.flashes.by(record)}
      actions={actions}
    />
  ));
}

/** Undo and redo as in the table; the arrows go from card to card. */
function onKey(event: KeyboardEvent<HTMLElement>, table: string): void {
  const key = event.key.toLowerCase();
  if ((event.ctrlKey || event.metaKey) && !event.altKey && (key === "z" || key === "y")) {
    event.preventDefault();
    void takeStep(pageCore().undo, key === "y" || event.shiftKey ? "redo" : "undo", { table });
  } else moveFocus(event);
}

function Refused({ onClear }: { onClear(): void }) {
  return (
    <Notice
      icon={<IconFilterOff size={28} stroke={1.5} />}
      title="This can’t be shown"
      text="Its filter or order speaks of what this table does not have, or of what your role does not include."
    >
      <Button variant="light" onClick={onClear}>
        Show everything
      </Button>
    </Notice>
  );
}
