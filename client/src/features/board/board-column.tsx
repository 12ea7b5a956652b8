import { Button } from "@mantine/core";
import type { Field, Table } from "../../../../shared/model/model.ts";
import type { PresenceUser } from "../../../../shared/protocol/presence.ts";
import type { Author } from "../../../../shared/protocol/record.ts";
import { badgeColour } from "../../ui/fields/badge-colour.ts";
import type { LookUp } from "../../ui/fields/look-up.ts";
import { formatCount } from "../../ui/numbers.ts";
import classes from "./board.module.css";
import type { BoardActions } from "./board-actions.ts";
import { BoardCard } from "./board-card.tsx";
import type { BoardColumn } from "./board-model.ts";
import type { CardFields } from "./card-fields.ts";
import type { DropEffect } from "./evaluate-drop.ts";
import { columnLabel } from "./grouping.ts";

interface Props {
  column: BoardColumn;
  table: Table;
  /** The field by which the board stands in columns. */
  field: Field;
  fields: CardFields;
  labels: LookUp;
  presentUsers: readonly PresenceUser[];
  opened: string | null;
  refused: string | null;
  /** What a drop here would do, while a card is in the hand. */
  drop: DropEffect | null;
  flashedBy(record: string): Author | undefined;
  actions: BoardActions;
}

/** One column: its name, how many records are in it, its cards. While one drags it says what a drop would do. */
export function BoardColumnView(props: Props) {
  const { column, table, field, drop, actions } = props;
  const { value, cards, total, totalExact } = column;
  const label = columnLabel(field, value);
  const colour = field.options?.find((option) => option.value === value)?.colour;
  const count = `${totalExact ? "" : "about "}${formatCount(total)}`;
  return (
    <section
      className={classes.column}
      data-column={value ?? ""}
      data-none={value === null ? (total === 0 ? "vacant" : "held") : undefined}
      data-drop={drop?.kind}
      aria-label={`${label}, ${count} ${table.label.toLowerCase()}`}
      onDragOver={(event) => {
        if (drop?.kind !== "stay") event.preventDefault();
        const takes = drop?.kind === "move" || drop?.kind === "edit";
        event.dataTransfer.dropEffect = takes ? "move" : "none";
        // "none" would forbid the drop altogether, and with it the word why.
        if (drop?.kind === "refused") event.dataTransfer.dropEffect = "copy";
      }}
      onDrop={(event) => {
        event.preventDefault();
        actions.onDrop(value);
      }}
    >
      <header className={classes.head} style={{ ["--wf-badge" as string]: badgeColour(colour) }}>
        <span className={classes.dot} aria-hidden="true" />
        <h2 className={classes.name}>{label}</h2>
        <span className={classes.count}>{count}</span>
      </header>
      {drop?.kind === "refused" && <p className={classes.why}>{drop.reason}</p>}
      <ul className={classes.cards}>
        {cards.map((view) => (
          <BoardCard
            key={view.id}
            {...props}
            view={view}
            presentUsers={props.presentUsers.filter(({ record }) => record === view.id)}
            flashedBy={props.flashedBy(view.id)}
            opened={props.opened === view.id}
            refused={props.refused === view.id}
          />
        ))}
        {column.loading && <CardSkeletons />}
      </ul>
      {!column.loading && cards.length === 0 && <p className={classes.empty}>Nothing here</p>}
      {column.hasMore && !column.loading && (
        <Button
          className={classes.more ?? ""}
          variant="subtle"
          size="compact-sm"
          onClick={() => actions.onShowMore(value)}
        >
          Show more
        </Button>
      )}
    </section>
  );
}

function CardSkeletons() {
  return [0, 1, 2].map((place) => <li key={place} className={classes.ghost} aria-hidden="true" />);
}
