import { Group, Stack, Title } from "@mantine/core";
import { IconCopy, IconTrash } from "@tabler/icons-react";
import type { ReactNode } from "react";
import {
  type DataTile,
  isDataTile,
  type Tile,
  type TileKind,
} from "../../../../../shared/model/wallboard/tile.ts";
import { wallboardsMessages as messages } from "../../../messages/en/wallboards.ts";
import { FilterBuilder } from "../../../records/filter/filter-builder.tsx";
import { IconButton } from "../../../ui/icon-button.tsx";
import { Hint } from "../../../ui/texts.ts";
import { Choice, DraftNumber, DraftText, Toggle } from "./draft-inputs.tsx";
import classes from "./form.module.css";
import { changed, type PartProps } from "./form-props.ts";
import { KindPart } from "./kind-part.tsx";
import { MeasurePart } from "./measure-part.tsx";
import { convertKind, convertTable, kindLabels, possibleKinds, type Source } from "./new-tile.ts";
import { ThresholdsPart } from "./thresholds-part.tsx";
import { ZoneChoice } from "./zone-choice.tsx";

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
  const onChange = (change: object) => onTile(changed(tile, change));
  const changeKind = (kind: TileKind) => {
    const other = convertKind(tile, kind, sources);
    if (other) onTile(changed(other, {}));
  };
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
      <DraftText
        label={messages.tileTitle()}
        value={tile.title ?? ""}
        maxLength={120}
        onValue={(title) => onChange({ title: title.trim() || undefined })}
      />
      <Choice
        label={messages.kind()}
        value={tile.kind}
        choices={possibleKinds(sources).map((kind) => [kind, kindLabels[kind].label()] as const)}
        onValue={changeKind}
        description={kindLabels[tile.kind].hint()}
      />
      {isDataTile(tile) && !own && <Hint textWrap="pretty">{messages.tableGone()}</Hint>}
      {isDataTile(tile) && source && <DataParts {...{ tile, source, sources, onTile, onChange }} />}
      {!isDataTile(tile) && source && <KindPart {...{ tile, source, onChange }} />}
      {tile.kind !== "text" && (
        <ZoneChoice
          label={messages.timeZone()}
          zone={tile.zone}
          none={messages.wallboardZone()}
          onZone={(zone) => onChange({ zone })}
        />
      )}
    </Stack>
  );
}

interface DataProps extends PartProps<DataTile> {
  sources: readonly Source[];
  onTile(tile: Tile): void;
}

function DataParts({ tile, source, sources, onTile, onChange }: DataProps) {
  const changeTable = (name: string) => {
    const next = sources.find(({ table }) => table.name === name);
    const other = next && convertTable(tile, next);
    if (other) onTile(changed(other, {}));
  };
  const part = { tile, source, onChange };
  return (
    <>
      <Choice
        label={messages.table()}
        value={tile.table}
        choices={sources.map(({ table }) => [table.name, table.label] as const)}
        onValue={changeTable}
      />
      <Part title={messages.records()}>
        <FilterBuilder
          fields={source.fields}
          filter={tile.filter ?? null}
          emptyHint={messages.noCondition()}
          operands
          onFilter={(filter) => onChange({ filter: filter ?? undefined })}
        />
      </Part>
      <Part title={messages.content()}>
        {tile.kind !== "queue" && tile.kind !== "activity" && <MeasurePart {...part} />}
        <KindPart {...(part as unknown as PartProps)} />
      </Part>
      {tile.kind !== "activity" && (
        <Part title={messages.alerts()}>
          <ThresholdsPart {...part} />
        </Part>
      )}
      <Part title={messages.more()}>
        <MoreParts {...part} />
      </Part>
    </>
  );
}

function MoreParts({ tile, onChange }: PartProps<DataTile>) {
  return (
    <>
      <div className={classes.pair}>
        <DraftText
          label={messages.unit()}
          value={tile.unit ?? ""}
          maxLength={12}
          placeholder={messages.noValue()}
          onValue={(unit) => onChange({ unit: unit.trim() || undefined })}
        />
        <DraftNumber
          label={messages.decimals()}
          value={tile.decimals}
          min={0}
          max={6}
          placeholder={messages.auto()}
          onValue={(decimals) => onChange({ decimals })}
        />
      </div>
      <Choice
        label={messages.expectEvery()}
        value={tile.expectEvery ?? ""}
        choices={[
          ["", messages.never()],
          ["5m", messages.minutes({ count: 5 })],
          ["15m", messages.minutes({ count: 15 })],
          ["1h", messages.hours({ count: 1 })],
          ["4h", messages.hours({ count: 4 })],
          ["1d", messages.days({ count: 1 })],
        ]}
        description={messages.expectEveryHint()}
        onValue={(span) => onChange({ expectEvery: span || undefined })}
      />
      <DraftNumber
        label={messages.suppressBelow()}
        value={tile.suppressBelow}
        min={2}
        max={10_000}
        placeholder={messages.noValue()}
        onValue={(suppressBelow) => onChange({ suppressBelow })}
      />
      <Toggle
        label={messages.qrCode()}
        checked={tile.qr === true}
        onChecked={(checked) => onChange({ qr: checked || undefined })}
      />
    </>
  );
}

function Part({ title, children }: { title: string; children: ReactNode }) {
  return (
    <div className={classes.part}>
      <Title order={3} size="h4">
        {title}
      </Title>
      {children}
    </div>
  );
}
