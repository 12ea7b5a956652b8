import { ActionIcon, Group, UnstyledButton } from "@mantine/core";
import { IconAlertTriangle, IconArrowsExchange, IconLock } from "@tabler/icons-react";
import { type KeyboardEvent, memo, useRef } from "react";
import { Link } from "wouter";
import type { Field, Table } from "../../../../shared/model/model.ts";
import { isOwnText, type RecordCard } from "../../../../shared/model/record-card.ts";
import { lockedFields } from "../../../../shared/model/state-of.ts";
import { boardMessages as messages } from "../../messages/en/board.ts";
import { formatValue } from "../../records/fields/format-value.ts";
import { useLabelUpdates } from "../../records/fields/use-label-updates.ts";
import { ValueMark } from "../../records/fields/value-mark.tsx";
import type { RecordView } from "../../state/record-view.ts";
import { usePresentOn } from "../../state/use-presence.ts";
import { pageLabels } from "../../sync/page/page-labels.ts";
import { UserAvatar } from "../../ui/user-avatar.tsx";
import { userColour } from "../../ui/user-colour.ts";
import type { BoardActions } from "./board-actions.ts";
import classes from "./card.module.css";

interface Props {
  view: RecordView;
  table: Table;
  /** The field by which the board is grouped. */
  field: Field;
  card: RecordCard;
  opened: boolean;
  refused: boolean;
  actions: BoardActions;
}

/** Renders a card only when something on it changes: a board has hundreds, and any of them may change. */
export const BoardCard = memo(Card);

/** A record as a card: its name, title, first option and assignee, and the users on it. What its column says is not repeated. */
function Card(props: Props) {
  const { view, table, card, actions } = props;
  const presentUsers = usePresentOn(table.name, view.id);
  useLabelUpdates();
  const button = useRef<HTMLButtonElement>(null);
  const fields = card.fields.filter((one) => one.name !== props.field.name);
  const display = card.name ?? card.title;
  const text = card.name ? card.title : fields.find(isOwnText);
  const mark = fields.find(({ type }) => type === "select");
  const assignee = fields.find(({ type }) => type === "person");
  const summary = text && textOf(text, view);
  const isDraft = view.pending === "draft";
  const name =
    (display && textOf(display, view)) ||
    (isDraft ? messages.new({ record: table.recordLabel }) : view.id);
  const state = view.cells[props.field.name];
  const isPending = view.pending !== null || state?.kind === "pending";
  const editor = presentUsers.find(({ mode }) => mode === "editing");
  const isLocked =
    table.workflow && lockedFields(table, view.values).length >= table.fields.length - 1;
  const onKey = (event: KeyboardEvent) => {
    if (event.key !== "m" || event.ctrlKey || event.metaKey || event.altKey) return;
    event.preventDefault();
    event.stopPropagation();
    if (button.current) actions.onOpenMenu(view.id, button.current);
  };
  return (
    <li
      className={classes.card}
      data-card={view.id}
      data-pending={isPending || undefined}
      data-conflict={state?.kind === "conflict" || undefined}
      data-opened={props.opened || undefined}
      data-refused={props.refused || undefined}
      data-present={presentUsers.length > 0 || undefined}
      style={
        presentUsers[0] && { ["--wf-user-colour" as string]: userColour(presentUsers[0].colour) }
      }
      draggable={!isDraft}
      onDragStart={(event) => {
        event.dataTransfer.effectAllowed = "all";
        event.dataTransfer.setData("text/plain", name);
        actions.onDrag(view.id);
      }}
      onDragEnd={() => actions.onDrag(null)}
      onFocus={() => actions.onFocus(view.id)}
      onKeyDown={onKey}
    >
      <Group gap={4} wrap="nowrap" mih={24}>
        <Link
          dir="auto"
          className={classes.name}
          data-alone={!summary || undefined}
          href={actions.addressOf(view.id)}
          draggable={false}
        >
          {name}
        </Link>
        {isLocked && <IconLock size={13} stroke={1.8} aria-label={messages.readOnly()} />}
        {isDraft ? null : (
          <ActionIcon
            ref={button}
            size={24}
            className={classes.moveIcon ?? ""}
            aria-label={messages.move({ card: name })}
            onClick={(event) => actions.onOpenMenu(view.id, event.currentTarget)}
          >
            <IconArrowsExchange size={15} stroke={1.7} />
          </ActionIcon>
        )}
      </Group>
      {summary && (
        <p dir="auto" className={classes.text}>
          {summary}
        </p>
      )}
      <div className={classes.foot}>
        {mark && view.values[mark.name] && (
          <ValueMark field={mark} value={view.values[mark.name]} />
        )}
        <span className={classes.who}>
          {isPending && (
            <span className={classes.note}>{isDraft ? messages.draft() : messages.pending()}</span>
          )}
          {state && state.kind !== "pending" && (
            <EditStatusButton
              status={state.kind === "conflict" ? messages.conflict() : messages.rejected()}
              label={messages.fieldOf({ field: props.field.label, card: name })}
              onOpen={(element) => actions.onShowEditStatus(view.id, element)}
            />
          )}
          {editor && (
            <span className={classes.note} title={messages.userEditing({ user: editor.name })}>
              {messages.editing()}
            </span>
          )}
          {presentUsers.map((user) => (
            <UserAvatar key={user.connection} name={user.name} colour={user.colour} size={20} />
          ))}
          {presentUsers.length === 0 && assignee && <Assignee field={assignee} view={view} />}
        </span>
      </div>
    </li>
  );
}

/** Opens the status of a conflicting or rejected edit. */
function EditStatusButton(props: {
  status: string;
  label: string;
  onOpen(element: HTMLElement): void;
}) {
  const { status, label, onOpen } = props;
  return (
    <UnstyledButton
      className={classes.unresolved}
      aria-label={`${label}: ${status}`}
      onClick={(event) => onOpen(event.currentTarget)}
    >
      <IconAlertTriangle size={13} stroke={1.8} aria-hidden="true" />
      {status}
    </UnstyledButton>
  );
}

function Assignee({ field, view }: { field: Field; view: RecordView }) {
  const id = view.values[field.name];
  const target = typeof id === "string" ? pageLabels().get(field, id) : undefined;
  if (!target) return null;
  return (
    <span className={classes.assignee} title={`${field.label}: ${target.label}`}>
      <UserAvatar name={target.label} colour={target.colour ?? "gray"} size={20} decorative />
      <span>{target.label}</span>
    </span>
  );
}

function textOf(field: Field, { values }: RecordView): string {
  const value = values[field.name];
  if (value === null || value === undefined) return "";
  return formatValue(field, value, (of, id) => pageLabels().labelOf(of, id));
}
