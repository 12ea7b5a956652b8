import { Alert, Box } from "@mantine/core";
import { IconAlertTriangle } from "@tabler/icons-react";
import { type MaybeNode, toJson, valueAt } from "../../../../../shared/document/document-node.ts";
import type { Conflict } from "../../../../../shared/document/merge.ts";
import type { Table } from "../../../../../shared/model/model.ts";
import type { WallboardInfo } from "../../../../../shared/protocol/wallboards.ts";
import { wallboardsMessages as messages } from "../../../messages/en/wallboards.ts";
import { draftAtom } from "../../../state/draft-state.ts";
import { useModel } from "../../../state/use-account.ts";
import { useAtom } from "../../../state/use-atom.ts";
import type { WallboardDraft } from "../../../sync/wallboards/wallboard-draft.ts";
import { ConflictPanel, type ConflictText } from "../../../ui/conflicts/conflicts.tsx";
import { tileWords, wallboardWords } from "../form/tile-settings.tsx";

interface Props {
  id: string;
  draft: WallboardDraft;
  info: WallboardInfo;
}

/** Conflicts with changes by another user. Their version is stored; the user chooses a side. */
export function ConflictNotes({ id, draft, info }: Props) {
  const { conflicts, problem } = useAtom(draftAtom(id));
  const { tables } = useModel();
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
          conflicts={conflicts}
          describe={(conflict) => describeConflict(conflict, info, tables)}
          onResolve={(conflict, side) => draft.resolve(conflict, side)}
        />
      </Box>
    </>
  );
}

function describeConflict(
  conflict: Conflict,
  info: WallboardInfo,
  tables: readonly Table[],
): ConflictText {
  const { path, base, mine, theirs } = conflict;
  const [part = "", tile, property] = path;
  const shown = info.tiles.find(({ id }) => id === tile);
  const title = shown?.title ?? valueAt<string>(base, "title");
  const subject =
    tile === undefined
      ? messages.wallboard()
      : title
        ? messages.quoted({ title })
        : messages.tile();
  if (tile !== undefined && property === undefined) {
    const describe = (node: MaybeNode) => (node ? messages.changed() : messages.removedValue());
    return { title: subject, mine: describe(mine), theirs: describe(theirs) };
  }
  const words =
    tile === undefined ? wallboardWords(part) : tileWords(property ?? "", shown, tables);
  return {
    title: messages.property({ subject, property: words.name }),
    before: words.text(toJson(base)),
    mine: words.text(toJson(mine)),
    theirs: words.text(toJson(theirs)),
  };
}
