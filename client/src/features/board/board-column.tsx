import { Button, Text } from "@mantine/core";
import { IconPlus } from "@tabler/icons-react";
import type { Field, Table } from "../../../../shared/model/model.ts";
import type { RecordCard } from "../../../../shared/model/record-card.ts";
import { boardMessages as messages } from "../../messages/en/board.ts";
import { badgeColour } from "../../records/fields/badge-colour.ts";
import { IconButton } from "../../ui/icon-button.tsx";
import { formatCount } from "../../ui/numbers.ts";
import { Hint } from "../../ui/texts.ts";
import classes from "./board.module.css";
import type { BoardActions } from "./board-actions.ts";
import { BoardCard } from "./board-card.tsx";
import type { BoardColumn } from "./board-model.ts";
import type { DropEffect } from "./evaluate-drop.ts";
import { columnLabel } from "./grouping.ts";

interface Props {
  column: BoardColumn;
  table: Table;
  /** The field by which the board is grouped. */
  field: Field;
  card: RecordCard;
  /** The summaries of its records. */
  totals: readonly string[];
  opened: string | null;
  refused: string | null;
  /** The effect of dropping the dragged card here. */
  drop: DropEffect | null;
  actions: BoardActions;
}

/** A column: its label, its number of records and its cards. During a drag it shows the effect of a drop. */
export function BoardColumnView(props: Props) {
  const { column, table, field, drop, actions } = props;
  const { value, cards, total, totalExact } = column;
  const label = columnLabel(field, value);
  const colour = field.options?.find((option) => option.value === value)?.colour;
  const count = totalExact ? formatCount(total) : messages.moreThan({ count: formatCount(total) });
  const records = table.label.toLowerCase();
  const name = column.loading
    ? messages.loadingColumn({ column: label })
    : messages.columnLabel({ column: label, count, records });
  return (
    <section
      className={classes.column}
      data-column={value ?? ""}
      data-none={value === null ? (total === 0 ? "vacant" : "held") : undefined}
      data-drop={drop?.kind}
      aria-label={name}
      onDragOver={(event) => {
        if (drop?.kind !== "stay") event.preventDefault();
        const takes = drop?.kind === "move" || drop?.kind === "edit";
        event.dataTransfer.dropEffect = takes ? "move" : "none";
        // "none" would suppress the drop event, which shows the reason.
        if (drop?.kind === "refused") event.dataTransfer.dropEffect = "copy";
      }}
      onDrop={(event) => {
        event.preventDefault();
        actions.onDrop(value);
      }}
    >
      <header className={classes.head} style={{ ["--wf-badge" as string]: badgeColour(colour) }}>
        <span className={classes.dot} aria-hidden="true" />
        <Text component="h2" truncate maw="calc(100% - 80px)" fz="sm" fw={600}>
          {label}
        </Text>
        <Hint span px={7} bdrs="lg" bg="var(--wf-pressed)" fz="xs" lh="20px">
          {column.loading ? "" : count}
        </Hint>
        {!column.loading && actions.canAdd(value) && (
          <IconButton
            label={messages.newIn({ record: table.recordLabel, column: label })}
            size={24}
            className={classes.add ?? ""}
            onClick={() => actions.onAdd(value)}
          >
            <IconPlus size={16} />
          </IconButton>
        )}
        {props.totals.length > 0 && (
          <Hint component="ul" flex="1 0 100%" fz="xs">
            {props.totals.map((text) => (
              <li key={text}>{text}</li>
            ))}
          </Hint>
        )}
      </header>
      {drop?.kind === "refused" && (
        <Hint flex="none" m="0 8px 8px" fz="xs">
          {drop.reason}
        </Hint>
      )}
      <ul className={classes.cards}>
        {cards.map((view) => (
          <BoardCard
            key={view.id}
            view={view}
            table={table}
            field={field}
            card={props.card}
            actions={actions}
            opened={props.opened === view.id}
            refused={props.refused === view.id}
          />
        ))}
        {column.loading && <CardSkeletons />}
      </ul>
      {!column.loading && cards.length === 0 && (
        <Hint p="20px 8px" bd="1px dashed var(--wf-line-strong)" bdrs="md" ta="center">
          {messages.empty()}
        </Hint>
      )}
      {column.hasMore && !column.loading && (
        <Button
          flex="none"
          my={6}
          style={{ alignSelf: "center" }}
          variant="subtle"
          size="compact-sm"
          onClick={() => actions.onShowMore(value)}
        >
          {messages.showMore()}
        </Button>
      )}
    </section>
  );
}

function CardSkeletons() {
  return [0, 1, 2].map((place) => <li key={place} className={classes.ghost} aria-hidden="true" />);
}
