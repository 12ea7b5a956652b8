import { Anchor, Group, Stack, Title, UnstyledButton } from "@mantine/core";
import { IconAlertTriangle, IconPlus } from "@tabler/icons-react";
import { modelTexts } from "../../../../../shared/error-texts/model-texts.ts";
import { checkTile } from "../../../../../shared/model/wallboard/check-tile.ts";
import type { Tile, TileKind } from "../../../../../shared/model/wallboard/tile.ts";
import { gridOf } from "../../../../../shared/model/wallboard/wallboard.ts";
import type { ShownTile, ShownWallboard, TileFrame } from "../../../../../shared/protocol/frame.ts";
import type { WallboardInfo } from "../../../../../shared/protocol/wallboards.ts";
import { addExplanations } from "../../../messages/en/explanations.ts";
import { wallboardsMessages as messages } from "../../../messages/en/wallboards.ts";
import { explanationText } from "../../../messages/error-text.ts";
import { richText } from "../../../messages/rich-text.tsx";
import { dayZone } from "../../../state/day-zone.ts";
import { useModel } from "../../../state/use-account.ts";
import type { WallboardView } from "../../../state/wallboard-state.ts";
import { ServerClock } from "../../../tiles/server-clock.tsx";
import { type TileSize, tileSizeOf } from "../../../tiles/tile-size.ts";
import { useFreshness } from "../../../tiles/use-freshness.ts";
import { queueLines } from "../../../tiles/views/queue-tile-view.tsx";
import { fitText } from "../../../tiles/views/text-tile-view.tsx";
import { isStacked, stack, Wallboard } from "../../../tiles/wallboard.tsx";
import { Hint } from "../../../ui/texts.ts";
import { AlertStrip } from "../alerts/alert-strip.tsx";
import { kindLabels, possibleKinds, type Source } from "../form/new-tile.ts";
import { FreshnessLine } from "../freshness-line.tsx";
import type { Box } from "./arrange.ts";
import { Canvas, type OtherEditor } from "./canvas.tsx";
import classes from "./designer.module.css";
import emptyWallboardStyles from "./empty-wallboard.module.css";
import type { ChosenScreen } from "./screens.ts";
import { boxesOf } from "./tile-edits.ts";
import { useFittedSize } from "./use-fitted-size.ts";
import type { WallboardActions } from "./use-wallboard-actions.ts";

addExplanations(modelTexts);

interface Props {
  info: WallboardInfo;
  view: WallboardView;
  screen: ChosenScreen;
  selected: string | null;
  setSelected(id: string | null): void;
  actions: WallboardActions;
  /** Other users, by the tile that they have selected. */
  others: Readonly<Record<string, OtherEditor>>;
}

/** The wallboard on the chosen screen with live values, its handles, and whether its text is readable. */
export function ScreenPreview(props: Props) {
  const { info, view, screen, selected, setSelected, actions, others } = props;
  const grid = gridOf(info);
  const fresh = useFreshness(view.proof);
  const screenOrientation = screen.height > screen.width ? "portrait" : "landscape";
  const wallboard = (moved: Parameters<typeof previewWallboard>[2]) => (
    <ServerClock proof={view.proof}>
      <Wallboard
        wallboard={previewWallboard(info, view.board, moved)}
        frame={view}
        fresh={fresh}
        screen={screenOrientation}
      />
    </ServerClock>
  );
  const tiles = info.tiles.map(({ id, kind, title }) => ({
    id,
    label: messages.tileLabel({
      title: title ?? messages.noTitle(),
      kind: kindLabels[kind].label(),
    }),
    other: others[id],
  }));
  return (
    <div className={classes.stage}>
      {isStacked(grid, screenOrientation) ? (
        <StackedPreview
          screen={screen}
          onRotate={() =>
            actions.wallboard({
              grid: { columns: grid.rows, rows: Math.max(grid.columns, grid.rows + 1) },
            })
          }
        >
          {wallboard({})}
        </StackedPreview>
      ) : (
        <Canvas
          {...{ tiles, grid, screen, selected }}
          theme={info.theme}
          empty={<EmptyWallboard sources={actions.sources} onAdd={actions.add} />}
          boxes={boxesOf(info)}
          onSelect={setSelected}
          onPut={actions.put}
          onRemove={actions.remove}
          onDuplicate={actions.duplicate}
        >
          {wallboard}
        </Canvas>
      )}
      <AlertStrip id={info.id} view={view} />
      {fresh === "lost" && view.proof && (
        <FreshnessLine proof={view.proof} zone={info.zone ?? dayZone()} />
      )}
      <FailedNote tiles={info.tiles} frames={view.tiles} onSelect={setSelected} />
      <CutNote
        wallboard={previewWallboard(info, view.board, {})}
        frames={view.tiles}
        screen={screenOrientation}
        onSelect={setSelected}
      />
    </div>
  );
}

/** A wallboard for a wide screen on a high one: a stack, and not editable here. */
function StackedPreview(props: {
  screen: ChosenScreen;
  onRotate(): void;
  children: React.ReactNode;
}) {
  const { screen, onRotate, children } = props;
  const { ref, size, scale } = useFittedSize(screen);
  return (
    <Stack gap={10} mih={0}>
      <Hint>
        {messages.stacked()}{" "}
        <Anchor component="button" inherit underline="always" onClick={onRotate}>
          {messages.rotateWallboard()}
        </Anchor>
      </Hint>
      <Group ref={ref} justify="center" flex={1} mih={0} style={{ overflow: "hidden" }}>
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
      </Group>
    </Stack>
  );
}

interface FailedNoteProps {
  tiles: readonly Tile[];
  frames: Readonly<Record<string, TileFrame>>;
  onSelect(id: string): void;
}

/** Tiles of the draft that can't be evaluated, with the reason; shown before publishing. */
function FailedNote({ tiles, frames, onSelect }: FailedNoteProps) {
  const model = useModel();
  const failed = tiles.filter(({ id }) => frames[id]?.state === "failed");
  return failed.map((tile) => (
    <p key={tile.id} className={classes.failed} role="status">
      <IconAlertTriangle size={16} stroke={1.6} aria-hidden="true" />
      <span>
        {richText(reasonText(frames[tile.id]?.reason), {
          tile: () => (
            <Anchor component="button" inherit underline="always" onClick={() => onSelect(tile.id)}>
              {tile.title ?? kindLabels[tile.kind].label()}
            </Anchor>
          ),
        })}
        {checkTile(tile, model).map((problem) => ` ${explanationText(problem)}`)}
      </span>
    </p>
  ));
}

interface CutNoteProps {
  wallboard: ShownWallboard;
  frames: Readonly<Record<string, TileFrame>>;
  screen: "landscape" | "portrait";
  onSelect(id: string): void;
}

/** Tiles that leave something out at this size: nobody on the floor can scroll them. */
function CutNote({ wallboard, frames, screen, onSelect }: CutNoteProps) {
  const { tiles, grid } = isStacked(wallboard.grid, screen) ? stack(wallboard) : wallboard;
  const cut = tiles.flatMap((tile) => {
    const text = cutText(tile, frames[tile.id], tileSizeOf(tile.layout, grid, screen));
    return text === null ? [] : [{ tile, text }];
  });
  return cut.map(({ tile, text }) => (
    <p key={tile.id} className={classes.failed} role="status">
      <IconAlertTriangle size={16} stroke={1.6} aria-hidden="true" />
      <span>
        <Anchor component="button" inherit underline="always" onClick={() => onSelect(tile.id)}>
          {tile.title || kindLabels[tile.kind].label()}
        </Anchor>{" "}
        <span>{text}</span>
      </span>
    </p>
  ));
}

function cutText(tile: ShownTile, frame: TileFrame | undefined, size: TileSize): string | null {
  if (tile.kind === "text") return fitText(tile, size).isCut ? messages.textCut() : null;
  if (tile.kind !== "queue" || !frame?.rows) return null;
  const { shown, others } = queueLines(tile, frame, size);
  return shown < frame.rows.length ? messages.queueCut({ shown, count: shown + others }) : null;
}

function reasonText(reason: TileFrame["reason"]): string {
  if (reason === "model_changed") return messages.modelChanged();
  return reason === "too_many_groups" ? messages.tooManyGroups() : messages.notEvaluated();
}

/**
 * The wallboard as it is drawn while somebody works on it: the server's words for how tiles are shown, at
 * the places where they stand on this screen at this moment, dragged ones included.
 */
function previewWallboard(
  info: WallboardInfo,
  shown: ShownWallboard | null,
  moved: Readonly<Record<string, Box>>,
): ShownWallboard {
  const tiles = info.tiles.map((tile) => ({
    ...(shown?.tiles.find(({ id, kind }) => id === tile.id && kind === tile.kind) ??
      placeholderTile(tile, info)),
    ...editedProperties(tile),
    layout: moved[tile.id] ?? tile.layout,
  }));
  const { id, name, version, theme } = info;
  const zone = info.zone ?? dayZone();
  return { id, name, version, zone, theme, grid: gridOf(info), tiles };
}

/** A tile that the server has not shown yet. */
function placeholderTile({ id, kind, zone, layout }: Tile, info: WallboardInfo): ShownTile {
  return { id, kind, title: "", zone: zone ?? info.zone ?? dayZone(), layout };
}

/** What a tile says by itself, without the server: it follows the typing. */
function editedProperties(tile: Tile): Partial<ShownTile> {
  const title = tile.title === undefined ? {} : { title: tile.title };
  if (tile.kind === "text") return { ...title, text: tile.text };
  if (tile.kind !== "clock") return title;
  const { hours, seconds = false, date = false } = tile;
  return { ...title, hours, seconds, date };
}

interface EmptyWallboardProps {
  sources: readonly Source[];
  onAdd(kind: TileKind): void;
}

/** The kinds that most wallboards start with. */
const firstKinds: readonly TileKind[] = ["number", "breakdown", "queue", "trend", "clock", "text"];

/** A wallboard without tiles: outlined buttons that add a first tile. */
function EmptyWallboard({ sources, onAdd }: EmptyWallboardProps) {
  const possible = possibleKinds(sources);
  return (
    <section className={emptyWallboardStyles.empty} aria-label={messages.emptyWallboard()}>
      <Title order={2}>{messages.addFirst()}</Title>
      <ul className={emptyWallboardStyles.ghosts}>
        {firstKinds
          .filter((kind) => possible.includes(kind))
          .map((kind) => (
            <li key={kind}>
              <UnstyledButton className={emptyWallboardStyles.ghost} onClick={() => onAdd(kind)}>
                <IconPlus size={18} stroke={1.7} aria-hidden="true" />
                <span>{kindLabels[kind].label()}</span>
                <small>{kindLabels[kind].hint()}</small>
              </UnstyledButton>
            </li>
          ))}
      </ul>
    </section>
  );
}
