import { useHotkeys } from "@mantine/hooks";
import { useEffect, useMemo, useState } from "react";
import { wallboardPlace } from "../../../../../shared/protocol/presence.ts";
import type { WallboardInfo } from "../../../../../shared/protocol/wallboards.ts";
import { wallboardsMessages as messages } from "../../../messages/en/wallboards.ts";
import { type DraftState, draftAtom } from "../../../state/draft-state.ts";
import { useAbilities, useMe } from "../../../state/use-account.ts";
import { useAtom } from "../../../state/use-atom.ts";
import { usePresence } from "../../../state/use-presence.ts";
import { wallboardAtom } from "../../../state/wallboard-state.ts";
import { pageCore } from "../../../sync/page/page-core.ts";
import type { WallboardDraft } from "../../../sync/wallboards/wallboard-draft.ts";
import { followWallboard, listScreens, openDraft } from "../../../sync/wallboards/wallboards.ts";
import { Unloaded } from "../../../ui/unloaded.tsx";
import { useRemote } from "../../../ui/use-remote.ts";
import { useTitle } from "../../../ui/use-title.ts";
import { TileForm, WallboardForm } from "../form/tile-form.tsx";
import { WallboardNotFound } from "../wallboard-not-found.tsx";
import type { OtherEditor } from "./canvas.tsx";
import { ConflictNotes } from "./conflict-notes.tsx";
import classes from "./designer.module.css";
import { DesignerBar } from "./designer-bar.tsx";
import { ScreenPreview } from "./screen-preview.tsx";
import { type ChosenScreen, defaultScreens } from "./screens.ts";
import { useWallboardActions } from "./use-wallboard-actions.ts";

const none = async () => [];

/** The designer of one wallboard: its draft on a canvas with live values, and the settings of its parts. */
export function Designer({ id }: { id: string }) {
  const { draft, state } = useWallboardDraft(id);
  useTitle(state.info?.name ?? messages.wallboard());
  if (state.phase === "gone") return <WallboardNotFound text={messages.notFoundText()} />;
  if (!draft || !state.info) {
    return <Unloaded problem={state.problem} reload={() => void draft?.refresh()} />;
  }
  return <OpenDesigner draft={draft} info={state.info} id={id} />;
}

interface OpenProps {
  id: string;
  draft: WallboardDraft;
  info: WallboardInfo;
}

function OpenDesigner({ id, draft, info }: OpenProps) {
  const view = useAtom(wallboardAtom(id, true));
  const [selected, setSelected] = useState<string | null>(null);
  const [screen, setScreen] = useState(() => defaultScreens()[0] as ChosenScreen);
  const screens = useScreens();
  const { editors, others } = useOtherEditors(id, selected);
  const actions = useWallboardActions(draft, info, setSelected);
  useUndoKeys(draft);
  const tile = info.tiles.find((one) => one.id === selected);
  return (
    <div className={classes.designer}>
      <DesignerBar {...{ draft, info, id, screens, screen, setScreen, actions, editors }} />
      <div className={classes.work}>
        <ScreenPreview {...{ info, view, screen, selected, setSelected, actions, others }} />
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
            <WallboardForm info={info} onWallboard={actions.wallboard} />
          )}
        </aside>
      </div>
    </div>
  );
}

/**
 * The usual keys for undo and redo. Text inputs handle them themselves; on a list, the browser would take back letters of the text that was
 * typed before.
 */
function useUndoKeys(draft: WallboardDraft): void {
  const unlessInText = (action: () => void) => (event: KeyboardEvent) => {
    const text = 'input:not([type="checkbox"], [type="radio"]), textarea';
    if (event.target instanceof Element && event.target.closest(text)) return;
    event.preventDefault();
    action();
  };
  const undo = unlessInText(() => draft.undo());
  const redo = unlessInText(() => draft.redo());
  const options = { preventDefault: false };
  useHotkeys(
    [
      ["mod+Z", undo, options],
      ["mod+shift+Z", redo, options],
      ["mod+Y", redo, options],
    ],
    [],
  );
}

/** Opens a wallboard's draft and follows its values while the designer is mounted. */
function useWallboardDraft(id: string): { draft: WallboardDraft | null; state: DraftState } {
  const [draft, setDraft] = useState<WallboardDraft | null>(null);
  const state = useAtom(draftAtom(id));
  useEffect(() => {
    const opened = openDraft(id);
    const unfollow = followWallboard(id, true);
    setDraft(opened.draft);
    return () => {
      unfollow();
      opened.leave();
    };
  }, [id]);
  return { draft, state };
}

/** Shares the user's selected tile with other users in this designer, and returns theirs. */
function useOtherEditors(wallboard: string, selected: string | null) {
  const place = wallboardPlace(wallboard);
  const me = useMe().id;
  const presence = usePresence([place]).filter(({ id }) => id !== me);
  useEffect(() => {
    const where = selected === null ? {} : { record: selected };
    pageCore().presence.set(place, { ...where, mode: selected === null ? "viewing" : "editing" });
  }, [place, selected]);
  useEffect(() => () => pageCore().presence.leave(place), [place]);
  const editors = new Map<string, OtherEditor>();
  const others: Record<string, OtherEditor> = {};
  for (const { id, name, colour, record } of presence) {
    editors.set(id, { name, colour });
    if (record !== undefined) others[record] = { name, colour };
  }
  return { editors: [...editors.values()], others };
}

/** The screens to preview a wallboard on: common sizes, then paired displays. */
function useScreens(): readonly ChosenScreen[] {
  const mayList = useAbilities().rights.includes("displays");
  const { data } = useRemote(mayList ? listScreens : none, { on: ["display", "displays"] });
  return useMemo(() => {
    const paired = (data ?? []).map(({ id, name, width, height }) => ({
      key: `display ${id}`,
      label: `${name}, ${width} × ${height}`,
      width,
      height,
    }));
    return [...defaultScreens(), ...paired];
  }, [data]);
}
