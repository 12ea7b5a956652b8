import { Button, Group, Stack } from "@mantine/core";
import { IconAlertTriangle, IconArrowsSplit2 } from "@tabler/icons-react";
import type { Json } from "../../../../shared/filter/filter.ts";
import { isFreeText } from "../../../../shared/model/field-types.ts";
import type { Field } from "../../../../shared/model/model.ts";
import { fieldMessages as messages } from "../../messages/en/fields.ts";
import type { CellState, EditRef } from "../../state/record-view.ts";
import { useMe } from "../../state/use-account.ts";
import { Hint } from "../../ui/texts.ts";
import { differingWords } from "./differing-lines.ts";
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
  state: Pick<ConflictState, "base" | "mine" | "theirs" | "at"> & {
    by: { kind?: string; id?: string | null; name: string } | null;
  };
  onResolve(choice: "mine" | "theirs"): void;
}

/**
 * The three values of a cell that two users changed, and the buttons that decide, of which none is better than the other: the focus begins at the
 * title, so that no key that was meant for a cell decides.
 */
export function ConflictStatus({ field, state, onResolve }: ConflictProps) {
  const { base, mine, theirs, at } = state;
  const words = wordsOf(state.by, useMe().id, field.label);
  return (
    <Stack gap={10} maw={340}>
      <h3 className={classes.title} tabIndex={-1} data-autofocus>
        <IconArrowsSplit2 size={16} aria-hidden="true" />
        {words.title}
      </h3>
      <dl className={classes.values}>
        <Value name={messages.before()} field={field} value={base} />
        <Value name={messages.mine()} field={field} value={mine} base={base} />
        <Value name={words.theirs} field={field} value={theirs} base={base} />
      </dl>
      <Hint fz="xs" lh={1.45}>
        {at ? messages.savedAt({ time: formatInstant(at) }) : messages.saved()}
      </Hint>
      <Group gap={8} align="stretch" grow>
        <Button size="compact-md" variant="default" onClick={() => onResolve("mine")}>
          {messages.keepMine()}
        </Button>
        <Button size="compact-md" variant="default" onClick={() => onResolve("theirs")}>
          {words.keepTheirs}
        </Button>
      </Group>
    </Stack>
  );
}

/** What a conflict with somebody says: with a user, by their first name where there is little space; with oneself elsewhere; or with nobody who is known. */
function wordsOf(by: ConflictProps["state"]["by"], me: string, field: string) {
  if (!by)
    return {
      title: messages.conflictUnnamed({ field }),
      theirs: messages.theirs(),
      keepTheirs: messages.keepTheirs(),
    };
  if (by.kind === "user" && by.id === me)
    return {
      title: messages.conflictOwn({ field }),
      theirs: messages.theirsOwn(),
      keepTheirs: messages.keepTheirsOwn(),
    };
  const author = by.kind === "user" ? (by.name.split(" ")[0] ?? by.name) : by.name;
  return {
    title: messages.conflict({ author: by.name, field }),
    theirs: messages.theirsNamed({ author }),
    keepTheirs: messages.keepTheirsNamed({ author }),
  };
}

function Rejected(props: { field: Field; state: RejectedState; onRetry(): void; onDrop(): void }) {
  const { field, state, onRetry, onDrop } = props;
  return (
    <Stack gap={10} maw={340}>
      <h3 className={classes.title} data-tone="bad" tabIndex={-1} data-autofocus>
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
        <Button size="compact-md" variant="default" onClick={onDrop}>
          {messages.discard()}
        </Button>
        <Button size="compact-md" variant="subtle" onClick={onRetry}>
          {messages.tryAgain()}
        </Button>
      </Group>
    </Stack>
  );
}

/** A value; of a text, the words that differ from the one before are marked. */
function Value(props: { name: string; field: Field; value: Json; base?: Json }) {
  const { name, field, value, base } = props;
  const isCompared = isFreeText(field.type) && typeof base === "string" && base !== "";
  const parts =
    isCompared && typeof value === "string" && value !== "" ? differingWords(base, value) : null;
  return (
    <>
      <dt>{name}</dt>
      <dd>
        {parts ? (
          <span dir="auto" translate="no" className={classes.text}>
            {parts[0]}
            {parts[1] && <mark>{parts[1]}</mark>}
            {parts[2]}
          </span>
        ) : (
          <ValueMark field={field} value={value} />
        )}
      </dd>
    </>
  );
}
