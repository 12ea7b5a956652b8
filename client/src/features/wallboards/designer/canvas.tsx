import { UnstyledButton } from "@mantine/core";
import {
  type CSSProperties,
  type KeyboardEvent,
  type ReactNode,
  useEffect,
  useRef,
  useState,
} from "react";
import { wallboardsMessages as messages } from "../../../messages/en/wallboards.ts";
import { GAP_SHARE } from "../../../tiles/label-size.ts";
import { raster, rasterStyle } from "../../../tiles/wallboard.tsx";
import { announce } from "../../../ui/announce.ts";
import { userColour } from "../../../ui/user-colour.ts";
import type { Box, Boxes, GridSize } from "./arrange.ts";
import classes from "./canvas.module.css";
import { actionOfKey } from "./tile-keys.ts";
import { type Drag, type Grip, useDrag } from "./use-drag.ts";
import { useFittedSize } from "./use-fitted-size.ts";

/** Another user who has a tile selected. */
export interface OtherEditor {
  name: string;
  colour: string;
}

interface CanvasTile {
  id: string;
  /** Its accessible name. */
  label: string;
  other: OtherEditor | undefined;
}

interface Props {
  tiles: readonly CanvasTile[];
  boxes: Boxes;
  grid: GridSize;
  /** That of the wallboard, also for its handles. */
  theme: "dark" | "light";
  /** The chosen screen, in its own pixels. */
  screen: { width: number; height: number };
  selected: string | null;
  onSelect(id: string | null): void;
  /** `seen`: places that were shown when the user began, if they may have changed since. */
  onPut(moved: Record<string, Box>, seen?: Record<string, Box>): void;
  onRemove(id: string): void;
  onDuplicate(id: string): void;
  /** Shown if there are no tiles. */
  empty: ReactNode;
  /** The wallboard itself, with dragged tiles at the given places. */
  children(moved: Readonly<Record<string, Box>>): ReactNode;
}

const grips: Grip[] = ["e", "s", "se"];

/**
 * The wallboard at the resolution of the chosen screen, scaled to the page, with a handle on each tile for pointer,
 * touch and keyboard.
 */
export function Canvas(props: Props) {
  const { boxes, grid, screen, children } = props;
  const { ref, size, scale } = useFittedSize(screen);
  const cell = cellSize(size, grid);
  const [blocked, setBlocked] = useState<string | null>(null);
  const { drag, start } = useDrag({
    boxes,
    grid,
    cell,
    onPut: props.onPut,
  });
  const { list, isDue } = useFocusOnSelected(props.selected);
  const onKey = (event: KeyboardEvent, tile: CanvasTile) => {
    const action = actionOfKey(event, tile.id, boxes, grid);
    if (!action) return;
    event.preventDefault();
    isDue.current = action.kind === "remove" || action.kind === "duplicate";
    if (action.kind === "put") props.onPut(action.moved);
    if (action.kind === "remove") {
      props.onRemove(tile.id);
      const at = props.tiles.findIndex(({ id }) => id === tile.id);
      props.onSelect((props.tiles[at + 1] ?? props.tiles[at - 1])?.id ?? null);
    }
    if (action.kind === "duplicate") props.onDuplicate(tile.id);
    setBlocked(action.kind === "blocked" ? tile.id : null);
    const box = action.kind === "put" ? action.moved[tile.id] : undefined;
    announce(box ? positionLabel(box) : action.kind === "blocked" ? messages.noRoom() : "");
  };
  const moved = drag?.moved ?? {};
  return (
    <div ref={ref} className={classes.stage}>
      <div className={classes.screen} data-theme={props.theme} style={size}>
        <div
          className={classes.wallboard}
          style={{ ...screen, transform: `scale(${scale})` }}
          inert
          aria-hidden="true"
        >
          {children(moved)}
        </div>
        <div className={classes.overlay}>
          {props.tiles.length === 0 && props.empty}
          {/** biome-ignore lint/a11y/useSemanticElements: a fieldset is for a form, this is a picture of buttons. */}
          <div
            ref={list}
            className={`${raster} ${classes.grid}`}
            style={rasterStyle(grid)}
            hidden={props.tiles.length === 0}
            role="group"
            aria-label={messages.tiles()}
            onPointerDown={() => props.onSelect(null)}
          >
            {props.tiles.map((tile) => (
              <Handle
                key={tile.id}
                tile={tile}
                box={moved[tile.id] ?? boxes[tile.id]}
                drag={drag?.id === tile.id ? drag : null}
                selected={props.selected === tile.id}
                blocked={blocked === tile.id}
                onSelect={props.onSelect}
                onKey={onKey}
                onGrip={start}
              />
            ))}
          </div>
        </div>
      </div>
    </div>
  );
}

/** After a key that removes or copies a tile the focus goes to the tile that is selected then. */
function useFocusOnSelected(selected: string | null) {
  const list = useRef<HTMLDivElement>(null);
  const isDue = useRef(false);
  useEffect(() => {
    if (!isDue.current || selected === null) return;
    isDue.current = false;
    list.current?.querySelector<HTMLElement>(`[data-tile="${selected}"]`)?.focus();
  }, [selected]);
  return { list, isDue };
}

interface HandleProps {
  tile: CanvasTile;
  box: Box | undefined;
  drag: Drag | null;
  selected: boolean;
  blocked: boolean;
  onSelect(id: string): void;
  onKey(event: KeyboardEvent, tile: CanvasTile): void;
  onGrip: ReturnType<typeof useDrag>["start"];
}

/** The handle of one tile; the tile itself is drawn below it. */
function Handle({ tile, box, drag, selected, blocked, onSelect, onKey, onGrip }: HandleProps) {
  if (!box) return null;
  const { id, label, other } = tile;
  const style: CSSProperties = {
    gridArea: `${box.y + 1} / ${box.x + 1} / span ${box.h} / span ${box.w}`,
    ...(other && { ["--wf-user-colour" as string]: userColour(other.colour) }),
  };
  const place = { tile: label, position: positionLabel(box) };
  return (
    <UnstyledButton
      className={classes.handle ?? ""}
      aria-pressed={selected}
      aria-label={messages.tileAt(place)}
      data-tile={id}
      data-selected={selected || undefined}
      data-dragged={drag ? "" : undefined}
      data-blocked={blocked || drag?.moved === null || undefined}
      data-other={other ? "" : undefined}
      style={style}
      onFocus={() => onSelect(id)}
      onKeyDown={(event) => onKey(event, tile)}
      onPointerDown={(event) => {
        onSelect(id);
        onGrip(event, id, "move");
      }}
    >
      {other && <span className={classes.other}>{other.name}</span>}
      {grips.map((grip) => (
        <span
          key={grip}
          className={classes.grip}
          data-grip={grip}
          onPointerDown={(event) => onGrip(event, id, grip)}
        />
      ))}
    </UnstyledButton>
  );
}

function positionLabel({ x, y, w, h }: Box): string {
  return messages.position({ column: x + 1, row: y + 1, width: w, height: h });
}

/** The size of one cell including its gap, in the unit of the sides. */
function cellSize(
  { width, height }: { width: number; height: number },
  { columns, rows }: GridSize,
): { width: number; height: number } {
  const gap = Math.min(width, height) * GAP_SHARE;
  return { width: (width - gap) / columns, height: (height - gap) / rows };
}
