import { Button, Radio, Stack } from "@mantine/core";
import { IconArrowsSplit2 } from "@tabler/icons-react";
import type { Side } from "../../../../shared/document/merge.ts";
import classes from "./conflicts.module.css";

/** One part that two people changed, in words. */
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

/** What two people changed in the same document: before, mine and theirs, and the choice. */
export function ConflictList({ conflicts, onResolve, chosen, onChoose }: Props) {
  return conflicts.map((conflict) => (
    <section key={conflict.key} className={classes.conflict}>
      {chosen ? (
        <Choice
          conflict={conflict}
          side={chosen(conflict.key)}
          onSide={(side) => onChoose?.(conflict.key, side)}
        />
      ) : (
        <>
          <strong className={classes.title}>{conflict.title}</strong>
          <Versions {...conflict} />
        </>
      )}
      {onResolve && (
        <div className={classes.buttons}>
          <Button size="compact-sm" onClick={() => onResolve(conflict.key, "mine")}>
            Keep mine
          </Button>
          <Button
            size="compact-sm"
            variant="default"
            onClick={() => onResolve(conflict.key, "theirs")}
          >
            Take theirs
          </Button>
        </div>
      )}
    </section>
  ));
}

/** Conflicts beside the document itself, each resolved at once. */
export function ConflictPanel(props: Required<Pick<Props, "conflicts" | "onResolve">>) {
  if (props.conflicts.length === 0) return null;
  return (
    <section className={classes.panel} role="alert">
      <h3 className={classes.heading}>
        <IconArrowsSplit2 size={17} aria-hidden="true" /> Somebody else changed this too
      </h3>
      <ConflictList {...props} />
    </section>
  );
}

function Versions({ before, mine, theirs }: ShownConflict) {
  return (
    <dl className={classes.versions}>
      {before !== undefined && (
        <>
          <dt>Before</dt>
          <dd>{before}</dd>
        </>
      )}
      <dt>Mine</dt>
      <dd>{mine}</dd>
      <dt>Theirs</dt>
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
      description={before && `Before: ${before}`}
      value={side}
      onChange={(value) => onSide(value as Side)}
    >
      <Stack gap="sm" mt="xs">
        <Radio value="mine" label={`Mine: ${mine}`} />
        <Radio value="theirs" label={`Theirs: ${theirs}`} />
      </Stack>
    </Radio.Group>
  );
}
