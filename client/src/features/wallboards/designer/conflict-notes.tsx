import { Alert, Box } from "@mantine/core";
import { IconAlertTriangle } from "@tabler/icons-react";
import { type MaybeNode, toJson, valueAt } from "../../../../../shared/document/document-node.ts";
import type { Conflict } from "../../../../../shared/document/merge.ts";
import type { Json } from "../../../../../shared/filter/filter.ts";
import type { WallboardInfo } from "../../../../../shared/protocol/wallboards.ts";
import { wallboardsMessages as messages } from "../../../messages/en/wallboards.ts";
import { draftAtom } from "../../../state/draft-state.ts";
import { useAtom } from "../../../state/use-atom.ts";
import type { WallboardDraft } from "../../../sync/wallboards/wallboard-draft.ts";
import { ConflictPanel, type ShownConflict } from "../../../ui/conflicts/conflict-list.tsx";
import type { Box as TileBox } from "./arrange.ts";

interface Props {
  id: string;
  draft: WallboardDraft;
  info: WallboardInfo;
}

const TEXT_MAX_LENGTH = 60;

/** Conflicts with changes by another user. Their version is stored; the user chooses a side. */
export function ConflictNotes({ id, draft, info }: Props) {
  const { conflicts, problem } = useAtom(draftAtom(id));
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
            closeButtonLabel={messages.close()}
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
  const subject =
    tile === undefined
      ? messages.wallboard()
      : title
        ? messages.quoted({ title })
        : messages.tile();
  const isWhole = tile !== undefined && property === undefined;
  const describe = (node: MaybeNode) =>
    isWhole ? (node ? messages.changed() : messages.removedValue()) : textOf(toJson(node));
  return {
    key: String(index),
    title: isWhole ? subject : messages.property({ subject, property: property ?? part }),
    before: isWhole ? undefined : describe(base),
    mine: describe(mine),
    theirs: describe(theirs),
  };
}

function textOf(value: Json | undefined): string {
  if (value === undefined || value === null) return messages.empty();
  if (isBox(value)) {
    return messages.cells({
      column: value.x + 1,
      row: value.y + 1,
      width: value.w,
      height: value.h,
    });
  }
  const text = typeof value === "object" ? JSON.stringify(value) : String(value);
  return text.length > TEXT_MAX_LENGTH ? `${text.slice(0, TEXT_MAX_LENGTH)}…` : text;
}

function isBox(value: Json): value is Json & TileBox {
  return typeof value === "object" && value !== null && "x" in value && "w" in value;
}
