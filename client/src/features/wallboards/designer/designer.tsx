import { useLocalStorage } from "@mantine/hooks";
import { useState } from "react";
import type { WallboardInfo } from "../../../../../shared/protocol/wallboards.ts";
import { wallboardsMessages as messages } from "../../../messages/en/wallboards.ts";
import { useWallboardView } from "../../../state/use-wallboard-view.ts";
import type { WallboardDraft } from "../../../sync/wallboards/wallboard-draft.ts";
import { ScreenSkeleton } from "../../../ui/screen-skeleton.tsx";
import { useTitle } from "../../../ui/use-title.ts";
import { TileForm } from "../form/tile-form.tsx";
import { WallboardForm } from "../form/wallboard-form.tsx";
import { useWallboardDraft } from "../use-wallboard-draft.ts";
import { WallboardNotFound } from "../wallboard-not-found.tsx";
import { ConflictNotes } from "./conflict-notes.tsx";
import classes from "./designer.module.css";
import { DesignerBar } from "./designer-bar.tsx";
import { ScreenPreview } from "./screen-preview.tsx";
import { type ChosenScreen, defaultScreens, defaultViewing, type Viewing } from "./screens.ts";
import { useOtherEditors } from "./use-other-editors.ts";
import { useScreens } from "./use-screens.ts";
import { useUndoKeys } from "./use-undo-keys.ts";
import { useWallboardActions } from "./use-wallboard-actions.ts";

/** The designer of one board: its draft on a canvas with live values, and the settings of its parts. */
export function Designer({ id }: { id: string }) {
  const { draft, state } = useWallboardDraft(id);
  useTitle(state.info?.name ?? messages.wallboard());
  if (state.phase === "gone") return <WallboardNotFound text={messages.notFoundText()} />;
  if (!draft || !state.info) return <ScreenSkeleton />;
  return <OpenDesigner draft={draft} info={state.info} id={id} />;
}

interface OpenProps {
  id: string;
  draft: WallboardDraft;
  info: WallboardInfo;
}

function OpenDesigner({ id, draft, info }: OpenProps) {
  const view = useWallboardView(id, true);
  const [selected, setSelected] = useState<string | null>(null);
  const [screen, setScreen] = useState(() => defaultScreens()[0] as ChosenScreen);
  const [viewing, setViewing] = useLocalStorage<Viewing>({
    key: "watchfloor.viewing",
    defaultValue: defaultViewing,
  });
  const screens = useScreens();
  const { editors, others } = useOtherEditors(id, selected);
  const actions = useWallboardActions(draft, info, setSelected);
  useUndoKeys(draft);
  const tile = info.tiles.find((one) => one.id === selected);
  return (
    <div className={classes.designer}>
      <DesignerBar
        {...{ draft, info, id, screens, screen, setScreen, viewing, setViewing, actions, editors }}
      />
      <div className={classes.work}>
        <ScreenPreview
          {...{ info, view, screen, viewing, selected, setSelected, actions, others }}
        />
        <aside className={classes.side} aria-label={messages.settings()}>
          <ConflictNotes draft={draft} info={info} id={id} />
          {tile ? (
            <TileForm
              key={tile.id}
              tile={tile}
              sources={actions.sources}
              onTile={actions.change}
              onRemove={() => actions.remove(tile.id)}
              onDuplicate={() => actions.duplicate(tile.id)}
            />
          ) : (
            <WallboardForm info={info} onBoard={actions.board} />
          )}
        </aside>
      </div>
    </div>
  );
}
