import { useMemo } from "react";
import type { Tile, TileKind } from "../../../../../shared/model/wallboard/tile.ts";
import type { WallboardInfo } from "../../../../../shared/protocol/wallboards.ts";
import { wallboardsMessages as messages } from "../../../messages/en/wallboards.ts";
import { useAccountData } from "../../../state/use-account.ts";
import type { WallboardDraft } from "../../../sync/wallboards/wallboard-draft.ts";
import {
  type EditedWallboard,
  withoutTile,
  withTile,
} from "../../../sync/wallboards/wallboard-edits.ts";
import { toast, toastFailure } from "../../../ui/toast.tsx";
import type { Source } from "../form/new-tile.ts";
import { visibleFields } from "../form/tile-fields.ts";
import type { Box } from "./arrange.ts";
import { addTile, duplicateTile, moveTiles } from "./tile-edits.ts";

export interface WallboardActions {
  /** The tables that tiles can show. */
  sources: readonly Source[];
  put(moved: Record<string, Box>, seen?: Record<string, Box>): void;
  add(kind: TileKind): void;
  change(tile: Tile): void;
  duplicate(id: string): void;
  remove(id: string): void;
  wallboard(change: Partial<EditedWallboard>): void;
}

/** The designer's edits of the wallboard. Each can be undone as one step. */
export function useWallboardActions(
  draft: WallboardDraft,
  info: WallboardInfo,
  onSelect: (id: string | null) => void,
): WallboardActions {
  const sources = useSources();
  const tileOf = (id: string) => info.tiles.find((tile) => tile.id === id);
  const add = (tile: Tile | null) => {
    if (!tile) {
      toastFailure(messages.full());
      return;
    }
    draft.edit(info, withTile(info, tile));
    onSelect(tile.id);
  };
  return {
    sources,
    put: (moved, seen = {}) => draft.edit(moveTiles(info, seen), moveTiles(info, moved)),
    add: (kind) => add(addTile(info, kind, sources)),
    change: (tile) => {
      if (tileOf(tile.id)) draft.edit(info, withTile(info, tile));
    },
    duplicate: (id) => {
      const tile = tileOf(id);
      if (tile) add(duplicateTile(info, tile));
    },
    remove: (id) => {
      const tile = tileOf(id);
      if (!tile) return;
      const rest = withoutTile(info, id);
      draft.edit(info, rest);
      onSelect(null);
      toast(messages.removed({ tile: tile.title ?? messages.tile() }), () =>
        draft.edit(rest, info),
      );
    },
    wallboard: (change) => draft.edit(info, { ...info, ...change }),
  };
}

function useSources(): readonly Source[] {
  const { model, session } = useAccountData();
  const { tables } = session.abilities;
  return useMemo(
    () =>
      model.tables.flatMap((table) => {
        const own = tables[table.name];
        return own?.read ? [{ table, fields: visibleFields(table, own.fields) }] : [];
      }),
    [model, tables],
  );
}
