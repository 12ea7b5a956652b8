import { Button, Group, Stack } from "@mantine/core";
import { IconAlertTriangle, IconArrowsSplit2 } from "@tabler/icons-react";
import type { Json } from "../../../../shared/filter/filter.ts";
import type { Field } from "../../../../shared/model/model.ts";
import { fieldMessages as messages } from "../../messages/en/fields.ts";
import { valueMessages } from "../../messages/en/values.ts";
import type { CellState } from "../../state/record-view.ts";
import { Hint } from "../../ui/texts.ts";
import classes from "./edit-status.module.css";
import { formatInstant } from "./instant.ts";
import { useLabelUpdates } from "./use-label-updates.ts";
import { ValueMark } from "./value-mark.tsx";

interface Props {
  field: Field;
  state: CellState;
  onResolve(choice: "mine" | "theirs"): void;
  onRetry(): void;
  onDrop(): void;
}

/** The status of a pending, conflicting or rejected edit, and the buttons to resolve it. */
export function EditStatus(props: Props) {
  useLabelUpdates();
  const { state } = props;
  if (state.kind === "conflict") return <ConflictStatus {...props} state={state} />;
  if (state.kind === "rejected") return <Rejected {...props} state={state} />;
  return (
    <Hint fz="xs" lh={1.45}>
      {messages.pending()}
    </Hint>
  );
}

type ConflictState = Extract<CellState, { kind: "conflict" }>;
type RejectedState = Extract<CellState, { kind: "rejected" }>;

interface ConflictProps extends Pick<Props, "field" | "onResolve"> {
  state: Pick<ConflictState, "base" | "mine" | "theirs" | "at"> & { by: { name: string } | null };
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

function Rejected({ field, state, onRetry, onDrop }: Props & { state: RejectedState }) {
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
