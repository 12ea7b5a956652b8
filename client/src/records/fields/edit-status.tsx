import { Button, Group, Stack } from "@mantine/core";
import { IconAlertTriangle, IconArrowsSplit2 } from "@tabler/icons-react";
import type { Json } from "../../../../shared/filter/filter.ts";
import type { Field } from "../../../../shared/model/model.ts";
import { fieldMessages as messages } from "../../messages/en/fields.ts";
import { valueMessages } from "../../messages/en/values.ts";
import type { CellState, EditRef } from "../../state/record-view.ts";
import { Hint } from "../../ui/texts.ts";
import classes from "./edit-status.module.css";
import { formatInstant } from "./instant.ts";
import { useLabelUpdates } from "./use-label-updates.ts";
import { ValueMark } from "./value-mark.tsx";

type ConflictState = Extract<CellState, { kind: "conflict" }>;
type RejectedState = Extract<CellState, { kind: "rejected" }>;

/** What a user can do about a conflicting or rejected edit. */
export interface EditActions {
  resolve(edit: EditRef, field: string, choice: "mine" | "theirs", shown: Json): void;
  retry(edit: EditRef): void;
  drop(edit: EditRef, field?: string): void;
}

interface Props {
  field: Field;
  state: ConflictState | RejectedState;
  edits: EditActions;
  /** The user has decided. */
  onDone?(): void;
}

/** The status of a conflicting or rejected edit, and the buttons to resolve it. */
export function EditStatus({ field, state, edits, onDone }: Props) {
  useLabelUpdates();
  const { edit } = state;
  const decide = (act: () => void) => {
    act();
    onDone?.();
  };
  return state.kind === "conflict" ? (
    <ConflictStatus
      field={field}
      state={state}
      onResolve={(choice) => decide(() => edits.resolve(edit, field.name, choice, state.theirs))}
    />
  ) : (
    <Rejected
      field={field}
      state={state}
      onRetry={() => decide(() => edits.retry(edit))}
      onDrop={() => decide(() => edits.drop(edit, field.name))}
    />
  );
}

interface ConflictProps {
  field: Field;
  state: Pick<ConflictState, "base" | "mine" | "theirs" | "at"> & { by: { name: string } | null };
  onResolve(choice: "mine" | "theirs"): void;
}

/** The three values of a cell that two users changed, and the buttons that decide. */
export function ConflictStatus({ field, state, onResolve }: ConflictProps) {
  const author = state.by?.name ?? valueMessages.someoneElse();
  return (
    <Stack gap={10} maw={340}>
      <h3 className={classes.title}>
        <IconArrowsSplit2 size={16} aria-hidden="true" />
        {messages.conflict({ field: field.label })}
      </h3>
      <dl className={classes.values}>
        <Value name={messages.before()} field={field} value={state.base} />
        <Value name={messages.mine()} field={field} value={state.mine} />
        <Value name={messages.theirs()} field={field} value={state.theirs} />
      </dl>
      <Hint fz="xs" lh={1.45}>
        {state.at
          ? messages.savedByAt({ author, time: formatInstant(state.at) })
          : messages.savedBy({ author })}
      </Hint>
      <Group gap={8} align="stretch">
        <Button size="compact-md" data-autofocus onClick={() => onResolve("mine")}>
          {messages.keepMine()}
        </Button>
        <Button size="compact-md" variant="default" onClick={() => onResolve("theirs")}>
          {messages.takeTheirs()}
        </Button>
      </Group>
    </Stack>
  );
}

function Rejected(props: { field: Field; state: RejectedState; onRetry(): void; onDrop(): void }) {
  const { field, state, onRetry, onDrop } = props;
  return (
    <Stack gap={10} maw={340}>
      <h3 className={classes.title} data-tone="bad">
        <IconAlertTriangle size={16} aria-hidden="true" />
        {messages.notAccepted({ field: field.label })}
      </h3>
      <Hint fz="xs" lh={1.45}>
        {state.message}
      </Hint>
      <dl className={classes.values}>
        <Value name={messages.mine()} field={field} value={state.mine} />
      </dl>
      <Group gap={8} align="stretch">
        <Button size="compact-md" variant="default" data-autofocus onClick={onDrop}>
          {messages.discard()}
        </Button>
        <Button size="compact-md" variant="subtle" onClick={onRetry}>
          {messages.tryAgain()}
        </Button>
      </Group>
    </Stack>
  );
}

function Value(props: { name: string; field: Field; value: Json }) {
  return (
    <>
      <dt>{props.name}</dt>
      <dd>
        <ValueMark field={props.field} value={props.value} />
      </dd>
    </>
  );
}
