import { Button, Group, Radio, Stack, Text } from "@mantine/core";
import { IconArrowsSplit2 } from "@tabler/icons-react";
import type { Side } from "../../../../shared/document/merge.ts";
import { conflictMessages as messages } from "../../messages/en/conflicts.ts";
import classes from "./conflicts.module.css";

/** A part of a document that two users changed, as text. */
export interface ShownConflict {
  key: string;
  title: string;
  before?: string | undefined;
  mine: string;
  theirs: string;
}

interface Props {
  conflicts: readonly ShownConflict[];
  /** Resolves one conflict at once. */
  onResolve?: (key: string, side: Side) => void;
  /** The side chosen so far, where all conflicts are resolved together. */
  chosen?: (key: string) => Side;
  onChoose?: (key: string, side: Side) => void;
}

/** The parts of a document that two users changed: before, mine and theirs, and the choice. */
export function ConflictList({ conflicts, onResolve, chosen, onChoose }: Props) {
  return conflicts.map((conflict) => (
    <Stack
      component="section"
      key={conflict.key}
      gap={8}
      p="10px 12px"
      bd="1px solid var(--wf-line-strong)"
      bdrs={8}
      bg="var(--mantine-color-body)"
      fz="0.84375rem"
    >
      {chosen ? (
        <Choice
          conflict={conflict}
          side={chosen(conflict.key)}
          onSide={(side) => onChoose?.(conflict.key, side)}
        />
      ) : (
        <>
          <Text component="strong" fz="md" fw={620}>
            {conflict.title}
          </Text>
          <Versions {...conflict} />
        </>
      )}
      {onResolve && (
        <Group gap={8} align="stretch">
          <Button size="compact-sm" onClick={() => onResolve(conflict.key, "mine")}>
            {messages.keepMine()}
          </Button>
          <Button
            size="compact-sm"
            variant="default"
            onClick={() => onResolve(conflict.key, "theirs")}
          >
            {messages.takeTheirs()}
          </Button>
        </Group>
      )}
    </Stack>
  ));
}

/** Conflicts beside the document itself, each resolved at once. */
export function ConflictPanel(props: Required<Pick<Props, "conflicts" | "onResolve">>) {
  if (props.conflicts.length === 0) return null;
  return (
    <Stack
      component="section"
      gap={12}
      p="14px 18px"
      bd="1px solid color-mix(in srgb, var(--wf-warn) 40%, transparent)"
      bdrs={10}
      bg="var(--wf-warn-soft)"
      role="alert"
    >
      <Group component="h3" gap={8} wrap="nowrap" c="var(--wf-warn)" fz="0.9375rem" fw={620}>
        <IconArrowsSplit2 size={17} aria-hidden="true" /> {messages.heading()}
      </Group>
      <ConflictList {...props} />
    </Stack>
  );
}

function Versions({ before, mine, theirs }: ShownConflict) {
  return (
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
  );
}

interface ChoiceProps {
  conflict: ShownConflict;
  side: Side;
  onSide(side: Side): void;
}

function Choice({ conflict, side, onSide }: ChoiceProps) {
  const { title, before, mine, theirs } = conflict;
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
