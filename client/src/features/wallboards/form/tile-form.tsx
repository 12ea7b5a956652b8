import { Group, Stack, Title } from "@mantine/core";
import { IconCopy, IconTrash } from "@tabler/icons-react";
import { Fragment } from "react";
import { patched } from "../../../../../shared/model/pick-values.ts";
import { isDataTile, type Tile } from "../../../../../shared/model/wallboard/tile.ts";
import type { WallboardInfo } from "../../../../../shared/protocol/wallboards.ts";
import { wallboardsMessages as messages } from "../../../messages/en/wallboards.ts";
import { appliesAny, SettingsForm } from "../../../records/settings/settings.tsx";
import type { EditedWallboard } from "../../../sync/wallboards/wallboard-edits.ts";
import { IconButton } from "../../../ui/icon-button.tsx";
import { Hint } from "../../../ui/texts.ts";
import classes from "./form.module.css";
import { kindLabels, type Source } from "./new-tile.ts";
import { designerLook, tileParts, wallboardRows } from "./tile-settings.tsx";

interface Props {
  tile: Tile;
  /** The tables that the author may read. */
  sources: readonly Source[];
  onTile(tile: Tile): void;
  onRemove(): void;
  onDuplicate(): void;
}

/** The settings of a tile, by its kind. */
export function TileForm({ tile, sources, onTile, onRemove, onDuplicate }: Props) {
  const own = isDataTile(tile) ? sources.find(({ table }) => table.name === tile.table) : undefined;
  const source = own ?? sources[0];
  const form = { source, sources };
  const edit = (update: (was: Tile) => Tile) => {
    const next = update(tile);
    if (next !== tile) onTile(patched(next, {}));
  };
  // Without any table, no records can be chosen.
  const parts = isDataTile(tile) && !source ? tileParts.filter(({ title }) => !title) : tileParts;
  return (
    <Stack component="section" gap={12} aria-label={messages.selectedTile()}>
      <Group justify="space-between" wrap="nowrap">
        <Title order={2} size="h3">
          {kindLabels[tile.kind].label()}
        </Title>
        <Group gap={4} wrap="nowrap">
          <IconButton size="sm" label={messages.duplicateTile()} onClick={onDuplicate}>
            <IconCopy size={16} stroke={1.6} />
          </IconButton>
          <IconButton size="sm" label={messages.removeTile()} onClick={onRemove}>
            <IconTrash size={16} stroke={1.6} />
          </IconButton>
        </Group>
      </Group>
      {parts.map(({ title, rows }, index) => {
        const inputs = <SettingsForm {...{ rows, form, edit }} of={tile} look={designerLook} />;
        if (!appliesAny(rows, tile, form)) return null;
        // biome-ignore lint/suspicious/noArrayIndexKey: a part is its place in the form.
        if (!title || !isDataTile(tile)) return <Fragment key={index}>{inputs}</Fragment>;
        return (
          <div key={title()} className={classes.part}>
            <Title order={3} size="h4">
              {title()}
            </Title>
            {inputs}
          </div>
        );
      })}
    </Stack>
  );
}

interface WallboardProps {
  info: WallboardInfo;
  onWallboard(change: Partial<EditedWallboard>): void;
}

/** The settings of the wallboard, shown if no tile is selected. */
export function WallboardForm({ info, onWallboard }: WallboardProps) {
  return (
    <Stack component="section" gap={12} aria-label={messages.wallboard()}>
      <Title order={2} size="h3">
        {messages.wallboard()}
      </Title>
      <SettingsForm
        rows={wallboardRows}
        of={info}
        form={null}
        look={designerLook}
        edit={(update) => onWallboard(update(info))}
      />
      <Hint textWrap="pretty">{messages.wallboardHint()}</Hint>
    </Stack>
  );
}
