import { useLocalStorage } from "@mantine/hooks";
import { useState } from "react";
import type { WallboardInfo } from "../../../../../shared/protocol/wallboards.ts";
import { useBoardView } from "../../../state/use-board-view.ts";
import type { WallboardDraft } from "../../../sync/wallboards/wallboard-draft.ts";
import { ScreenSkeleton } from "../../../ui/screen-skeleton.tsx";
import { useTitle } from "../../../ui/use-title.ts";
import { BoardForm } from "../form/board-form.tsx";
import { TileForm } from "../form/tile-form.tsx";
import { NoSuchBoard } from "../no-such-board.tsx";
import { useDraft } from "../use-draft.ts";
import { BoardStage } from "./board-stage.tsx";
import { ConflictNotes } from "./conflict-notes.tsx";
import classes from "./designer.module.css";
import { DesignerBar } from "./designer-bar.tsx";
import { type ChosenScreen, usualScreens, usualViewing, type Viewing } from "./screens.ts";
import { useBoardDeeds } from "./use-board-deeds.ts";
import { useOtherHands } from "./use-other-hands.ts";
import { useScreens } from "./use-screens.ts";
import { useUndoKeys } from "./use-undo-keys.ts";

/** The designer of one board: its draft on a canvas, with true figures, and what its parts say. */
export function Designer({ id }: { id: string }) {
  const { draft, state } = useDraft(id);
  useTitle(state.info?.name ?? "Wallboard");
  if (state.phase === "gone")
    return <NoSuchBoard text="It was deleted, or the address is wrong." />;
  if (!draft || !state.info) return <ScreenSkeleton />;
  return <OpenDesigner draft={draft} info={state.info} id={id} />;
}

interface OpenProps {
  id: string;
  draft: WallboardDraft;
  info: WallboardInfo;
}

function OpenDesigner({ id, draft, info }: OpenProps) {
  const view = useBoardView(id, true);
  const [selected, setSelected] = useState<string | null>(null);
  const [screen, setScreen] = useState<ChosenScreen>(usualScreens[0] as ChosenScreen);
  const [viewing, setViewing] = useLocalStorage<Viewing>({
    key: "watchfloor.viewing",
    defaultValue: usualViewing,
  });
  const screens = useScreens();
  const { people, others } = useOtherHands(id, selected);
  const deeds = useBoardDeeds(draft, info, setSelected);
  useUndoKeys(draft);
  const tile = info.tiles.find((one) => one.id === selected);
  return (
    <div className={classes.designer}>
      <DesignerBar
        {...{ draft, info, id, screens, screen, setScreen, viewing, setViewing, deeds, people }}
      />
      <div className={classes.work}>
        <BoardStage {...{ info, view, screen, viewing, selected, setSelected, deeds, others }} />
        <aside className={classes.side} aria-label="Settings">
          <ConflictNotes draft={draft} info={info} id={id} />
          {tile ? (
            <TileForm
              key={tile.id}
              tile={tile}
              sources={deeds.sources}
              onTile={deeds.change}
              onRemove={() => deeds.remove(tile.id)}
              onDuplicate={() => deeds.duplicate(tile.id)}
            />
          ) : (
            <BoardForm info={info} onBoard={deeds.board} />
          )}
        </aside>
      </div>
    </div>
  );
}
