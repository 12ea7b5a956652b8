import { gridOf } from "../../../../../shared/model/wallboard/wallboard.ts";
import type { WallboardInfo } from "../../../../../shared/protocol/wallboards.ts";
import type { BoardView } from "../../../state/board-state.ts";
import { fitLayout, type Way } from "../../../tiles/fit-layout.ts";
import { roomOf } from "../../../tiles/tile-room.ts";
import { useFreshness } from "../../../tiles/use-freshness.ts";
import { WallBoard } from "../../../tiles/wall-board.tsx";
import { wordsShare } from "../../../tiles/words-share.ts";
import { AlertStrip } from "../alerts/alert-strip.tsx";
import { kindWords } from "../form/new-tile.ts";
import { FreshnessLine } from "../freshness-line.tsx";
import { unreadableTiles } from "../legible-text.ts";
import { Canvas, type OtherHand } from "./canvas.tsx";
import { boxesOf } from "./deeds.ts";
import classes from "./designer.module.css";
import { EmptyBoard } from "./empty-board.tsx";
import { FailedNote } from "./failed-note.tsx";
import { LegibleNote } from "./legible-note.tsx";
import { previewBoard } from "./preview-board.ts";
import type { ChosenScreen, Viewing } from "./screens.ts";
import type { BoardDeeds } from "./use-board-deeds.ts";
import { useFittedSize } from "./use-fitted-size.ts";

interface Props {
  info: WallboardInfo;
  view: BoardView;
  screen: ChosenScreen;
  viewing: Viewing;
  selected: string | null;
  setSelected(id: string | null): void;
  deeds: BoardDeeds;
  /** Who else has which tile selected. */
  others: Readonly<Record<string, OtherHand>>;
}

/** The board on the chosen screen, with true figures, to be taken hold of; and whether it can be read. */
export function BoardStage(props: Props) {
  const { info, view, screen, viewing, selected, setSelected, deeds, others } = props;
  const raster = gridOf(info);
  const fresh = useFreshness(view.proof);
  const wayOfBoard = raster.rows > raster.columns ? "portrait" : "landscape";
  const wayOfScreen = screen.height > screen.width ? "portrait" : "landscape";
  const unreadable = unreadableTiles(...asSeen(info, view, wayOfScreen), { ...screen, ...viewing });
  const board = (moved: Parameters<typeof previewBoard>[2]) => (
    <WallBoard
      board={previewBoard(info, view.board, moved)}
      frame={view}
      fresh={fresh}
      screen={wayOfScreen}
    />
  );
  const tiles = info.tiles.map(({ id, kind, title }) => ({
    id,
    label: `${title ?? "No title"}, ${kindWords[kind].label.toLowerCase()}`,
    tooSmall: unreadable.some((one) => one.id === id),
    other: others[id],
  }));
  return (
    <div className={classes.stage}>
      {wayOfBoard === wayOfScreen ? (
        <Canvas
          {...{ tiles, raster, screen, selected }}
          empty={<EmptyBoard sources={deeds.sources} onAdd={deeds.add} />}
          boxes={boxesOf(info)}
          onSelect={setSelected}
          onPut={deeds.put}
          onRemove={deeds.remove}
          onDuplicate={deeds.duplicate}
        >
          {board}
        </Canvas>
      ) : (
        <Turned
          screen={screen}
          way={wayOfScreen}
          onTurn={() => deeds.board({ grid: turned(raster) })}
        >
          {board({})}
        </Turned>
      )}
      <AlertStrip id={info.id} view={view} />
      {fresh === "lost" && view.proof && <FreshnessLine proof={view.proof} zone={info.zone} />}
      <FailedNote tiles={info.tiles} frames={view.tiles} onSelect={setSelected} />
      {info.tiles.length > 0 && (
        <LegibleNote {...{ unreadable, viewing, tiles: info.tiles }} onSelect={setSelected} />
      )}
    </div>
  );
}

/** A board on a screen that stands the other way: packed anew by the screen, and not to be arranged here. */
function Turned(props: {
  screen: ChosenScreen;
  way: "landscape" | "portrait";
  onTurn(): void;
  children: React.ReactNode;
}) {
  const { screen, way, onTurn, children } = props;
  const { ref, size, scale } = useFittedSize(screen);
  const words =
    way === "portrait"
      ? "This board is made for a landscape screen. On a portrait screen its tiles are rearranged, as shown here."
      : "This board is made for a portrait screen. On a landscape screen its tiles are rearranged, as shown here.";
  return (
    <div className={classes.turned}>
      <p className={classes.note}>
        {words}{" "}
        <button type="button" className={classes.link} onClick={onTurn}>
          Make the board for this screen
        </button>
      </p>
      <div ref={ref} className={classes.packed}>
        <div className={classes.frame} style={size}>
          <div
            className={classes.scaled}
            style={{
              width: screen.width,
              height: screen.height,
              transform: `scale(${scale})`,
            }}
          >
            {children}
          </div>
        </div>
      </div>
    </div>
  );
}

/** The tiles as the screen packs them, with how large their smallest words come out, and the raster. */
function asSeen(info: WallboardInfo, view: BoardView, way: Way) {
  const { tiles, grid } = fitLayout(previewBoard(info, view.board, {}).tiles, gridOf(info), way);
  const stood = tiles.map((tile) => ({
    id: tile.id,
    layout: tile.layout,
    share: wordsShare(tile, view.tiles[tile.id], roomOf(tile.layout, grid, way)),
  }));
  return [stood, grid] as const;
}

/** As many cells, the other way round. */
function turned({ columns, rows }: { columns: number; rows: number }) {
  return columns === rows ? { columns, rows: rows + 1 } : { columns: rows, rows: columns };
}
