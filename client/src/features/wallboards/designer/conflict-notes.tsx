import { Alert, Button, Group } from "@mantine/core";
import { IconAlertTriangle, IconGitMerge } from "@tabler/icons-react";
import type { Json } from "../../../../../shared/filter/filter.ts";
import type { WallboardInfo } from "../../../../../shared/protocol/wallboards.ts";
import type { BoardConflict } from "../../../state/draft-state.ts";
import { useDraftState } from "../../../state/use-draft-state.ts";
import type { WallboardDraft } from "../../../sync/wallboards/wallboard-draft.ts";

interface Props {
  id: string;
  draft: WallboardDraft;
  info: WallboardInfo;
}

const TEXT_MAX_LENGTH = 60;

/** Where somebody else changed what I was changing: theirs stands, and I choose. */
export function ConflictNotes({ id, draft, info }: Props) {
  const { conflicts, problem } = useDraftState(id);
  return (
    <div role="status">
      {problem && (
        <Alert
          variant="light"
          color="orange"
          mb="md"
          icon={<IconAlertTriangle size={18} />}
          withCloseButton
          closeButtonLabel="Close"
          onClose={() => draft.dismissProblem()}
        >
          {problem}
        </Alert>
      )}
      {conflicts.map((conflict) => (
        <Alert
          key={`${conflict.tile} ${conflict.property}`}
          variant="light"
          color="orange"
          mb="md"
          icon={<IconGitMerge size={18} />}
          title={titleOf(conflict, info)}
        >
          <p style={{ margin: "0 0 10px" }}>{wordsOf(conflict)}</p>
          <Group gap="xs">
            <Button size="compact-sm" onClick={() => draft.resolve(conflict, "theirs")}>
              Keep theirs
            </Button>
            <Button
              size="compact-sm"
              variant="default"
              onClick={() => draft.resolve(conflict, "mine")}
            >
              Use mine
            </Button>
          </Group>
        </Alert>
      ))}
    </div>
  );
}

function titleOf({ tile }: BoardConflict, info: WallboardInfo): string {
  if (tile === null) return "The board was changed by somebody else";
  const title = info.tiles.find(({ id }) => id === tile)?.title;
  return `${title ? `“${title}”` : "A tile"} was changed by somebody else`;
}

function wordsOf({ property, mine, theirs }: BoardConflict): string {
  if (property === null) {
    return theirs === null
      ? "They removed it while you changed it."
      : "They changed it while you removed it.";
  }
  if (property === "layout") return "Both of you moved it.";
  return `Both of you set its ${property}. Theirs: ${textOf(theirs)}. Yours: ${textOf(mine)}.`;
}

function textOf(value: Json): string {
  if (value === null) return "nothing";
  const text = typeof value === "object" ? JSON.stringify(value) : String(value);
  return text.length > TEXT_MAX_LENGTH ? `${text.slice(0, TEXT_MAX_LENGTH)}…` : text;
}
