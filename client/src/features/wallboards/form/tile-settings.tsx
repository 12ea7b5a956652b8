import { ActionIcon, Checkbox, MultiSelect, Stack } from "@mantine/core";
import { IconTrash } from "@tabler/icons-react";
import type { Filter, Json } from "../../../../../shared/filter/filter.ts";
import { findField, type Table } from "../../../../../shared/model/model.ts";
import { patched } from "../../../../../shared/model/pick-values.ts";
import {
  type DataTile,
  isDataTile,
  type Tile,
  type TileKind,
  type TileOf,
} from "../../../../../shared/model/wallboard/tile.ts";
import {
  type Bucket,
  type Layout,
  type Measure,
  type MeasureOp,
  measureOps,
  type Threshold,
  type Time,
} from "../../../../../shared/model/wallboard/tile-parts.ts";
import type { Grid } from "../../../../../shared/model/wallboard/wallboard.ts";
import type { WallboardInfo } from "../../../../../shared/protocol/wallboards.ts";
import { valueMessages } from "../../../messages/en/values.ts";
import { wallboardsMessages as messages } from "../../../messages/en/wallboards.ts";
import { FilterBuilder } from "../../../records/filter/filter-builder.tsx";
import { filterText } from "../../../records/filter/filter-text.ts";
import {
  type Choices,
  type ControlProps,
  choice,
  custom,
  findSetting,
  nested,
  number,
  type Rows,
  type Setting,
  SettingsForm,
  settingWords,
  text,
  toggle,
  unnamed,
  type Wording,
  when,
} from "../../../records/settings/settings.tsx";
import { AddButton } from "../../../ui/add-button.tsx";
import { noFill } from "../../../ui/no-fill.ts";
import { formatItems } from "../../../ui/numbers.ts";
import { zonesWith, zoneText } from "../../../ui/zone-text.ts";
import classes from "./form.module.css";
import { convertKind, convertTable, kindLabels, possibleKinds, type Source } from "./new-tile.ts";
import { groupFields, measuredFields, orderFields, timeFields } from "./tile-fields.ts";

/** The settings of tiles and wallboards: what the designer's forms show, and how conflicts name and word them. */

/** What the form of a tile knows besides the tile. */
export interface TileContext {
  /** The tile's table; the first table for tiles without one. */
  source: Source | undefined;
  /** The tables that the author may read. */
  sources: readonly Source[];
}

export const designerLook = {
  size: "xs",
  row: () => classes.pair,
  writesOn: "blur",
} as const;

type TileSetting = Setting<Tile, TileContext>;
type TileRows = Rows<Tile, TileContext>;

const on =
  (...kinds: readonly TileKind[]) =>
  ({ kind }: Tile) =>
    kinds.includes(kind);
/** A change of a property that only some kinds of tiles have. */
const set = (tile: Tile, change: object) => patched(tile, change);
const fieldsOf = ({ source }: TileContext) => source?.fields ?? [];
const named = (fields: readonly { name: string; label: string }[]): Choices =>
  fields.map(({ name, label }) => [name, label] as const);
const empty = (label: () => string) => ["", label] as const;
const fieldText = (value: Json, { field }: Wording) => field(String(value));

/** The fields of an order or of a list. */
function fieldsText(value: Json, { field }: Wording): string {
  const terms = [value].flat().map((term) => {
    const label = field(String(term).replace(/^-/, ""));
    return String(term).startsWith("-") ? messages.descendingField({ field: label }) : label;
  });
  return formatItems(terms);
}

const bucketLabels: Record<Bucket, () => string> = {
  minute: messages.intervalMinutes,
  hour: messages.intervalHours,
  day: messages.intervalDays,
  week: messages.intervalWeeks,
  month: messages.intervalMonths,
};

const timeRows: Rows<Time, TileContext> = [
  choice("field", messages.timeField, { choices: (_, form) => named(timeFields(fieldsOf(form))) }),
  [
    number("count", messages.last, { min: 2, max: 400, usual: 24 }),
    choice("bucket", messages.interval, { choices: bucketLabels }),
  ],
];

/** The time field of a trend, and the number and length of its intervals. */
const time = {
  control: nested(timeRows),
  text(value: Json, { field }: Wording) {
    const { field: name, bucket, count } = value as unknown as Time;
    return messages.timeText({ field: field(name), count, unit: bucketLabels[bucket]() });
  },
};

const measureLabels: Record<MeasureOp, () => string> = {
  count: messages.count,
  sum: messages.sum,
  avg: messages.average,
  min: messages.minimum,
  max: messages.maximum,
  percentile: messages.percentile,
  distinct: messages.distinct,
};

const measureRows: Rows<Measure, TileContext> = [
  [
    choice("op", messages.measure, {
      choices: (_, form) =>
        measureOps
          .filter((op) => op === "count" || measuredFields(op, fieldsOf(form)).length > 0)
          .map((op) => [op, measureLabels[op]] as const),
      write(was, chosen, form) {
        const op = chosen as MeasureOp;
        const fitting = measuredFields(op, fieldsOf(form));
        const field = fitting.find(({ name }) => name === was.field) ?? fitting[0];
        return op === "count" || !field ? { op: "count" } : { op, field: field.name };
      },
    }),
    choice("field", messages.field, {
      choices: ({ op }, form) => named(measuredFields(op, fieldsOf(form))),
      applies: ({ op }, form) => measuredFields(op, fieldsOf(form)).length > 0,
    }),
    number("percentile", messages.percentile, {
      applies: ({ op }) => op === "percentile",
      read: ({ percentile = 50 }) => percentile,
      min: 0,
      max: 100,
      usual: 50,
    }),
  ],
];

const measure: TileSetting = custom("measure", messages.measure, {
  control: nested(measureRows),
  text(value, { field }) {
    const { op, field: name, percentile } = value as unknown as Measure;
    const parts = [measureLabels[op](), name && field(name), op === "percentile" && percentile];
    return formatItems(parts.filter((part) => part !== undefined && part !== false).map(String));
  },
});

const colourLabels: Record<Threshold["colour"], () => string> = {
  green: messages.green,
  blue: messages.blue,
  yellow: messages.yellow,
  orange: messages.orange,
  red: messages.red,
};

const thresholdRows: Rows<Threshold, TileContext> = [
  [
    choice("below", messages.condition, {
      choices: { above: messages.atLeast, below: messages.atMost },
      read: ({ below }) => (below ? "below" : "above"),
      write: (was, side) => patched(was, { below: side === "below" || undefined }),
    }),
    number("at", messages.value, { decimals: 6, required: true }),
  ],
  [
    text("word", messages.alertLabel, { maxLength: 40, required: true }),
    choice("colour", messages.colour, { choices: colourLabels }),
  ],
  [
    number("hysteresis", messages.hysteresis, {
      min: 0,
      decimals: 6,
      none: () => "0",
      write: (was, value) => patched(was, { hysteresis: value || undefined }),
    }),
    custom("flash", messages.flash, { control: AlertSignals }),
  ],
];

/** Whether an alert flashes and sounds, below each other. */
function AlertSignals({ of, edit }: ControlProps<Threshold, TileContext>) {
  const signals = { flash: messages.flash, sound: messages.sound };
  return (
    <Stack gap={6} pt={8}>
      {(["flash", "sound"] as const).map((signal) => (
        <Checkbox
          key={signal}
          size="xs"
          label={signals[signal]()}
          checked={of[signal] ?? false}
          onChange={({ currentTarget: { checked } }) =>
            edit((was) => patched(was, { [signal]: checked || undefined }))
          }
        />
      ))}
    </Stack>
  );
}

const THRESHOLDS_MAX = 10;

/** The thresholds from which a tile shows an alert; the last one that is reached applies. */
function Thresholds({ of, form, look, edit }: ControlProps<Tile, TileContext>) {
  const { thresholds = [] } = of as DataTile;
  const write = (update: (was: readonly Threshold[]) => readonly Threshold[]) =>
    edit((tile) => {
      const next = update((tile as DataTile).thresholds ?? []);
      return set(tile, { thresholds: next.length > 0 ? next : undefined });
    });
  const added = { at: (thresholds.at(-1)?.at ?? 0) + 1, word: messages.high(), colour: "red" };
  return (
    <>
      {thresholds.map((threshold, index) => (
        // biome-ignore lint/suspicious/noArrayIndexKey: a threshold is its place in the list.
        <fieldset key={index} className={classes.threshold}>
          <legend className="wf-visually-hidden">
            {messages.alert({ alert: threshold.word })}
          </legend>
          <SettingsForm
            rows={thresholdRows}
            of={threshold}
            form={form}
            look={look}
            edit={(update) => write((was) => was.with(index, update(threshold)))}
          />
          <ActionIcon
            pos="absolute"
            top={8}
            right={8}
            size="sm"
            aria-label={messages.removeAlert({ alert: threshold.word })}
            onClick={() => write((was) => was.toSpliced(index, 1))}
          >
            <IconTrash size={15} stroke={1.6} />
          </ActionIcon>
        </fieldset>
      ))}
      {thresholds.length < THRESHOLDS_MAX && (
        <AddButton
          variant="subtle"
          size="compact-sm"
          style={{ justifySelf: "start" }}
          onClick={() => write((was) => [...was, added as Threshold])}
        >
          {messages.addAlert()}
        </AddButton>
      )}
    </>
  );
}

function thresholdText({ at, below, word }: Threshold): string {
  return below
    ? messages.alertAtMost({ alert: word, at })
    : messages.alertAtLeast({ alert: word, at });
}

const target = { key: "target", label: messages.target, control: "number", decimals: 6 } as const;
const optionalTarget = { ...target, none: messages.noValue };
const limit = { key: "limit", label: messages.limit, control: "number", min: 1, max: 100 } as const;

const trendRows: TileRows = [
  {
    ...time,
    key: "trend",
    label: messages.trend,
    applies: (_, form) => timeFields(fieldsOf(form)).length > 0,
    control: "toggle",
    read: (tile) => (tile as TileOf<"number">).trend !== undefined,
    write(tile, isShown, form) {
      const field = timeFields(fieldsOf(form))[0]?.name;
      return set(tile, { trend: isShown && { field, bucket: "day", count: 14 } });
    },
  },
  {
    ...time,
    key: "trend",
    label: messages.trend,
    applies: (tile) => (tile as TileOf<"number">).trend !== undefined,
  },
];

const better: TileSetting = choice("better", messages.better, {
  choices: { "": messages.neutral, more: messages.higher, less: messages.lower },
});

const lines: TileSetting = choice("group", messages.lines, {
  choices: (_, form) => [empty(messages.singleLine), ...named(groupFields(fieldsOf(form)))],
  text: fieldText,
  none: messages.singleLine,
});

const groupOrders: Record<string, () => string> = {
  "-value": messages.largestFirst,
  value: messages.smallestFirst,
  key: messages.byName,
};

const groupRows: TileRows = [
  [
    choice("group", messages.groupBy, {
      choices: (_, form) => named(groupFields(fieldsOf(form))),
      text: fieldText,
    }),
    { ...limit, usual: 8 },
  ],
  [
    choice("order", messages.order, {
      choices: groupOrders,
      read: (tile) => termOf(tile) || "-value",
      write: (tile, order) => set(tile, { order: [order] }),
      text: (value, wording) =>
        groupOrders[String([value].flat()[0])]?.() ?? fieldsText(value, wording),
      none: messages.largestFirst,
    }),
    choice("shape", messages.shape, {
      choices: { bars: messages.bars, donut: messages.donut },
      applies: on("breakdown"),
    }),
  ],
];

const queueRows: TileRows = [
  custom("fields", messages.columns, {
    control: ({ setting, of, form, edit }) => (
      <MultiSelect
        {...noFill}
        size="xs"
        label={setting.label()}
        data={fieldsOf(form).map(({ name, label }) => ({ value: name, label }))}
        value={(of as TileOf<"queue">).fields ?? [form.source?.table.display ?? ""]}
        maxValues={12}
        onChange={(fields) =>
          edit((tile) => set(tile, { fields: fields.length > 0 ? fields : undefined }))
        }
      />
    ),
    text: fieldsText,
  }),
  [
    choice("order", messages.sortBy, {
      choices: (_, form) => [empty(messages.tableSort), ...named(orderFields(fieldsOf(form)))],
      read: (tile) => termOf(tile).replace(/^-/, ""),
      write: (tile, field = "") => set(tile, ordered(field, termOf(tile).startsWith("-"))),
      text: fieldsText,
      none: messages.tableSort,
    }),
    choice("order", messages.sortOrder, {
      choices: { up: messages.ascending, down: messages.descending },
      read: (tile) => (termOf(tile).startsWith("-") ? "down" : "up"),
      write: (tile, way) => set(tile, ordered(termOf(tile).replace(/^-/, ""), way === "down")),
    }),
  ],
];

/** The first term of a tile's order, `-` before a descending one. */
function termOf(tile: Tile): string {
  return ("order" in tile && [tile.order ?? []].flat()[0]) || "";
}

function ordered(field: string, descending: boolean) {
  return { order: field === "" ? undefined : [descending ? `-${field}` : field] };
}

const progressRow: TileRows[number] = [
  choice("of", messages.total, {
    choices: { all: messages.allRecords, target: messages.target },
    read: (tile) => ((tile as TileOf<"progress">).of === undefined ? "target" : "all"),
    write: (tile, whole) =>
      set(tile, whole === "all" ? { of: {}, target: undefined } : { of: undefined, target: 100 }),
    text(value, { field }) {
      const { filter } = value as { filter?: Filter | null };
      return filter ? filterText(filter, field) : messages.allRecords();
    },
    none: messages.target,
  }),
  { ...target, applies: (tile) => (tile as TileOf<"progress">).of === undefined, usual: 100 },
];

const people: TileSetting = toggle("people", messages.showUsers);

const hourLabels: Record<string, () => string> = { 12: messages.hours12, 24: messages.hours24 };

const clockRows: TileRows = [
  choice("hours", messages.hourFormat, {
    choices: () => ["24", "12"].map((hours) => [hours, hourLabels[hours]?.() ?? hours] as const),
    text: (hours) => hourLabels[String(hours)]?.() ?? String(hours),
  }),
  toggle("seconds", messages.seconds),
  toggle("date", messages.date),
];

const notice: TileSetting = text("text", messages.text, {
  lines: 4,
  maxLength: 5_000,
  write: (tile, typed = "") => set(tile, { text: typed }),
});

const forKinds = (kinds: readonly TileKind[], rows: TileRows) => when(on(...kinds), rows);

const contentRows: TileRows = [
  ...forKinds(["number", "trend", "breakdown", "lights", "progress"], [measure]),
  ...forKinds(["number"], [[optionalTarget, better], ...trendRows]),
  ...forKinds(
    ["trend"],
    [{ ...time, key: "time", label: messages.timeField }, [lines, optionalTarget]],
  ),
  ...forKinds(["breakdown", "lights"], groupRows),
  ...forKinds(["queue"], queueRows),
  ...forKinds(["queue", "activity"], [{ ...limit, usual: 10 }]),
  ...forKinds(["progress"], [progressRow]),
  ...forKinds(["activity"], [people]),
  ...forKinds(["clock"], clockRows),
  ...forKinds(["text"], [notice]),
];

const moreRows: TileRows = [
  [
    text("unit", messages.unit, { maxLength: 12, none: messages.noValue }),
    number("decimals", messages.decimals, { min: 0, max: 6, none: messages.auto }),
  ],
  choice("expectEvery", messages.expectEvery, {
    choices: {
      "": messages.never,
      "5m": () => messages.minutes({ count: 5 }),
      "15m": () => messages.minutes({ count: 15 }),
      "1h": () => messages.hours({ count: 1 }),
      "4h": () => messages.hours({ count: 4 }),
      "1d": () => messages.days({ count: 1 }),
    },
    hint: messages.expectEveryHint,
  }),
  number("suppressBelow", messages.suppressBelow, { min: 2, max: 10_000, none: messages.noValue }),
  toggle("qr", messages.qrCode),
];

const zone: TileSetting = choice("zone", messages.timeZone, {
  choices: (tile) => [empty(messages.wallboardZone), ...zones(tile)],
  applies: ({ kind }) => kind !== "text",
  text: textOfZone,
  none: messages.wallboardZone,
});

function zones({ zone }: { zone?: string | null }): Choices {
  return zonesWith(zone ?? "UTC").map((name) => [name, zoneText(name)] as const);
}

function textOfZone(name: Json): string {
  return zoneText(String(name));
}

const general: TileRows = [
  text("title", messages.tileTitle, { maxLength: 120 }),
  choice("kind", messages.kind, {
    choices: ({ kind: own }, { sources }) =>
      [...new Set([...possibleKinds(sources), own])].map(
        (kind) => [kind, kindLabels[kind].label] as const,
      ),
    hint: ({ kind }) => kindLabels[kind].hint(),
    write: (tile, kind, { sources }) => convertKind(tile, kind as TileKind, sources) ?? tile,
    text: (kind) => kindLabels[kind as TileKind].label(),
  }),
  {
    key: "layout",
    label: messages.placement,
    text(value) {
      const { x, y, w, h } = value as unknown as Layout;
      return messages.cells({ column: x + 1, row: y + 1, width: w, height: h });
    },
  },
];

const table: TileSetting = choice("table", messages.table, {
  choices: (_, { sources }) => named(sources.map((source) => source.table)),
  hint: (tile, { sources }) =>
    sources.some((source) => source.table.name === (tile as DataTile).table)
      ? undefined
      : messages.tableGone(),
  write(tile, name, { sources }) {
    const next = sources.find((source) => source.table.name === name);
    return (next && convertTable(tile as DataTile, next)) ?? tile;
  },
  text: (name, wording) => wording.table(String(name)),
});

const filter: TileSetting = custom("filter", messages.records, {
  control: ({ of, form, edit }) => (
    <FilterBuilder
      fields={fieldsOf(form)}
      filter={(of as DataTile).filter ?? null}
      emptyHint={messages.noCondition()}
      operands
      onFilter={(next) => edit((tile) => set(tile, { filter: next ?? undefined }))}
    />
  ),
  text: (value, { field }) => filterText(value as unknown as Filter, field),
});

const thresholds: TileSetting = custom("thresholds", messages.alerts, {
  control: Thresholds,
  applies: (tile) => isDataTile(tile) && tile.kind !== "activity",
  text: (value) => formatItems((value as unknown as Threshold[]).map(thresholdText)),
});

/** The form of a tile, part by part. Tiles without values have the parts without their headings. */
export const tileParts: readonly { title?: () => string; rows: TileRows }[] = [
  { rows: general },
  { rows: when(isDataTile, [table]) },
  { title: messages.records, rows: when(isDataTile, [filter]) },
  { title: messages.content, rows: contentRows },
  { title: messages.alerts, rows: [thresholds] },
  { title: messages.more, rows: when(isDataTile, moreRows) },
  { rows: [zone] },
];

const tileRows: TileRows = tileParts.flatMap(({ rows }) => rows);

const GRID_MAX = 96;

const gridRows: Rows<Grid, unknown> = [
  [
    number("columns", messages.columns, { min: 1, max: GRID_MAX, required: true }),
    number("rows", messages.rows, { min: 1, max: GRID_MAX, required: true }),
  ],
];

export const wallboardRows: Rows<WallboardInfo, unknown> = [
  text("name", messages.name, { maxLength: 120, required: true }),
  custom("grid", messages.gridSize, {
    control: nested(gridRows),
    text(value) {
      const { columns, rows } = value as unknown as Grid;
      return messages.gridText({ columns, rows });
    },
  }),
  choice("theme", messages.theme, { choices: { dark: messages.dark, light: messages.light } }),
  choice("zone", messages.timeZone, {
    choices: (wallboard) => [empty(messages.installationZone), ...zones(wallboard)],
    read: ({ zone: own }) => own ?? undefined,
    text: textOfZone,
    none: messages.installationZone,
  }),
];

const TEXT_MAX_LENGTH = 60;

function plainText(value: Json): string {
  const whole = typeof value === "object" ? JSON.stringify(value) : String(value);
  return whole.length > TEXT_MAX_LENGTH ? `${whole.slice(0, TEXT_MAX_LENGTH)}…` : whole;
}

function wordingOf(own: Table | undefined, tables: readonly Table[]): Wording {
  return {
    field: (name) => (own && findField(own, name)?.label) ?? name,
    table: (name) => tables.find((one) => one.name === name)?.label ?? name,
    yes: valueMessages.yes,
    no: valueMessages.no,
    none: messages.empty,
    plain: plainText,
  };
}

/** How conflicts name a setting of a tile and word its values. A tile that was removed has the settings of all kinds. */
export function tileWords(key: string, tile: Tile | undefined, tables: readonly Table[]) {
  const own = tile && isDataTile(tile) ? tables.find(({ name }) => name === tile.table) : undefined;
  const form = { source: own && { table: own, fields: own.fields }, sources: [] };
  const setting = findSetting(
    tileRows,
    key,
    ({ applies = () => true }) => tile !== undefined && applies(tile, form),
  );
  return settingWords(setting ?? unnamed(key), wordingOf(own, tables));
}

export function wallboardWords(key: string) {
  return settingWords(findSetting(wallboardRows, key) ?? unnamed(key), wordingOf(undefined, []));
}
