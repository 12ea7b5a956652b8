import { Button, Group, Radio, Stack, Text } from "@mantine/core";
import { IconArrowsSplit2 } from "@tabler/icons-react";
import type { ReactNode } from "react";
import { type Choices, keyOfConflict } from "../../../../shared/document/draft.ts";
import type { Conflict, Side } from "../../../../shared/document/merge.ts";
import { conflictMessages as messages } from "../../messages/en/conflicts.ts";
import { Dialog } from "../dialog.tsx";
import classes from "./conflicts.module.css";

/** A conflict in the words of its kind of document. */
export interface ConflictText {
  title: string;
  before?: string | undefined;
  mine: string;
  theirs: string;
}

interface Props {
  conflicts: readonly Conflict[];
  describe(conflict: Conflict): ConflictText;
  /** Resolves one conflict at once. */
  onResolve?(conflict: Conflict, side: Side): void;
  /** The sides chosen so far, mine by default, where all conflicts are resolved together. */
  choices?: Choices;
  onChoose?(choices: Choices): void;
}

/** The parts of a document that two users changed: before, mine and theirs, and the choice. All documents show them by this. */
export function ConflictList({ conflicts, describe, onResolve, choices, onChoose }: Props) {
  return conflicts.map((conflict, index) => {
    const key = keyOfConflict(conflict);
    const text = describe(conflict);
    return (
      <Stack
        component="section"
        // biome-ignore lint/suspicious/noArrayIndexKey: several edits of one part may conflict, one after the other.
        key={`${key} ${index}`}
        gap={8}
        p="10px 12px"
        bd="1px solid var(--wf-line-strong)"
        bdrs="md"
        bg="var(--mantine-color-body)"
        fz="md"
      >
        {choices ? (
          <Choice
            text={text}
            side={choices[key] ?? "mine"}
            onSide={(side) => onChoose?.({ ...choices, [key]: side })}
          />
        ) : (
          <Versions {...text} />
        )}
        {onResolve && (
          <Group gap={8} align="stretch">
            <Button size="compact-sm" onClick={() => onResolve(conflict, "mine")}>
              {messages.keepMine()}
            </Button>
            <Button
              size="compact-sm"
              variant="default"
              onClick={() => onResolve(conflict, "theirs")}
            >
              {messages.takeTheirs()}
            </Button>
          </Group>
        )}
      </Stack>
    );
  });
}

/** Conflicts beside the document itself, each resolved at once. */
export function ConflictPanel(props: Required<Omit<Props, "choices" | "onChoose">>) {
  if (props.conflicts.length === 0) return null;
  return (
    <Stack
      component="section"
      gap={12}
      p="14px 18px"
      bd="1px solid color-mix(in srgb, var(--wf-warn) 40%, transparent)"
      bdrs="lg"
      bg="var(--wf-warn-soft)"
      role="alert"
    >
      <Group component="h3" gap={8} wrap="nowrap" c="var(--wf-warn)" fz="lg" fw={600}>
        <IconArrowsSplit2 size={17} aria-hidden="true" /> {messages.heading()}
      </Group>
      <ConflictList {...props} />
    </Stack>
  );
}

interface DialogProps {
  title: string;
  size?: number;
  /** The labels of the two buttons. */
  mine: string;
  theirs: string;
  onMine(): void;
  onTheirs(): void;
  onClose(): void;
  children: ReactNode;
}

/** Asks which version of a document to keep after two users changed it. */
export function ConflictDialog({
  mine,
  theirs,
  onMine,
  onTheirs,
  children,
  ...modal
}: DialogProps) {
  return (
    <Dialog size={620} {...modal}>
      {children}
      <Group justify="flex-end" gap="sm" mt="xl">
        <Button variant="default" onClick={onTheirs}>
          {theirs}
        </Button>
        <Button onClick={onMine}>{mine}</Button>
      </Group>
    </Dialog>
  );
}

function Versions({ title, before, mine, theirs }: ConflictText) {
  return (
    <>
      <Text component="strong" fz="md" fw={600}>
        {title}
      </Text>
      <dl className={classes.versions}>
        {before !== undefined && (
          <>
            <dt>{messages.before()}</dt>
            <dd>{before}</dd>
          </>
        )}
        <dt>{messages.mine()}</dt>
        <dd>{mine}</dd>
        <dt>{messages.theirs()}</dt>
        <dd>{theirs}</dd>
      </dl>
    </>
  );
}

interface ChoiceProps {
  text: ConflictText;
  side: Side;
  onSide(side: Side): void;
}

function Choice({ text: { title, before, mine, theirs }, side, onSide }: ChoiceProps) {
  return (
    <Radio.Group
      label={title}
      description={before && messages.beforeValue({ value: before })}
      value={side}
      onChange={(value) => onSide(value as Side)}
    >
      <Stack gap="sm" mt="xs">
        <Radio value="mine" label={messages.mineValue({ value: mine })} />
        <Radio value="theirs" label={messages.theirsValue({ value: theirs })} />
      </Stack>
    </Radio.Group>
  );
}
