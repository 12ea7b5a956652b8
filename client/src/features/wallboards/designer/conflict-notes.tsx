import { Alert, Box } from "@mantine/core";
import { IconAlertTriangle } from "@tabler/icons-react";
import { type MaybeNode, toJson, valueAt } from "../../../../../shared/document/document-node.ts";
import type { Conflict } from "../../../../../shared/document/merge.ts";
import type { Json } from "../../../../../shared/filter/filter.ts";
import type { WallboardInfo } from "../../../../../shared/protocol/wallboards.ts";
import { useDraftState } from "../../../state/use-draft-state.ts";
import type { WallboardDraft } from "../../../sync/wallboards/wallboard-draft.ts";
import { ConflictPanel, type ShownConflict } from "../../../ui/conflicts/conflict-list.tsx";
import type { Box as TileBox } from "./arrange.ts";

interface Props {
  id: string;
  draft: WallboardDraft;
  info: WallboardInfo;
}

const TEXT_MAX_LENGTH = 60;

/** Where somebody else changed what I was changing: their version is stored, and I choose. */
export function ConflictNotes({ id, draft, info }: Props) {
  const { conflicts, problem } = useDraftState(id);
  return (
    <>
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
      </div>
      <Box mb={conflicts.length > 0 ? "md" : 0}>
        <ConflictPanel
          conflicts={conflicts.map((conflict, index) => describeConflict(conflict, index, info))}
          onResolve={(key, side) => {
            const conflict = conflicts[Number(key)];
            if (conflict) draft.resolve(conflict, side);
          }}
        />
      </Box>
    </>
  );
}

function describeConflict(
  conflict: Conflict,
  index: number,
  { tiles }: WallboardInfo,
): ShownConflict {
  const { path, base, mine, theirs } = conflict;
  const [part = "", tile, property] = path;
  const title = tiles.find(({ id }) => id === tile)?.title ?? valueAt<string>(base, "title");
  const subject = tile === undefined ? "The board" : title ? `“${title}”` : "A tile";
  const isWhole = tile !== undefined && property === undefined;
  const say = (node: MaybeNode) =>
    isWhole ? (node ? "changed" : "removed") : textOf(toJson(node));
  return {
    key: String(index),
    title: isWhole ? subject : `${subject}: ${property ?? part}`,
    before: isWhole ? undefined : say(base),
    mine: say(mine),
    theirs: say(theirs),
  };
}

function textOf(value: Json | undefined): string {
  if (value === undefined || value === null) return "nothing";
  if (isBox(value)) {
    return `column ${value.x + 1}, row ${value.y + 1}, ${value.w} × ${value.h} cells`;
  }
  const text = typeof value === "object" ? JSON.stringify(value) : String(value);
  return text.length > TEXT_MAX_LENGTH ? `${text.slice(0, TEXT_MAX_LENGTH)}…` : text;
}

function isBox(value: Json): value is Json & TileBox {
  return typeof value === "object" && value !== null && "x" in value && "w" in value;
}
