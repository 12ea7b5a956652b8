import type { Filter, Json } from "../../../../../shared/filter/filter.ts";
import { findField, type Table } from "../../../../../shared/model/model.ts";
import type { Measure, Threshold, Time } from "../../../../../shared/model/wallboard/tile-parts.ts";
import type { Grid } from "../../../../../shared/model/wallboard/wallboard.ts";
import { valueMessages } from "../../../messages/en/values.ts";
import { wallboardsMessages as messages } from "../../../messages/en/wallboards.ts";
import { filterText } from "../../../records/filter/filter-text.ts";
import { formatItems } from "../../../ui/numbers.ts";
import { kindLabels } from "../form/new-tile.ts";
import { measureLabels } from "../form/tile-fields.ts";
import { bucketLabels } from "../form/time-part.tsx";
import type { Box } from "./arrange.ts";

/** The settings of a wallboard and of its tiles, as the forms call them. */
const labels: Readonly<Record<string, () => string>> = {
  name: messages.name,
  grid: messages.gridSize,
  theme: messages.theme,
  zone: messages.timeZone,
  title: messages.tileTitle,
  layout: messages.placement,
  kind: messages.kind,
  table: messages.table,
  filter: messages.records,
  measure: messages.measure,
  thresholds: messages.alerts,
  expectEvery: messages.expectEvery,
  suppressBelow: messages.suppressBelow,
  qr: messages.qrCode,
  unit: messages.unit,
  decimals: messages.decimals,
  trend: messages.trend,
  target: messages.target,
  better: messages.better,
  time: messages.timeField,
  group: messages.groupBy,
  limit: messages.limit,
  shape: messages.shape,
  order: messages.order,
  fields: messages.columns,
  of: messages.total,
  people: messages.showUsers,
  text: messages.text,
  hours: messages.hourFormat,
  seconds: messages.seconds,
  date: messages.date,
};

export function settingLabel(setting: string): string {
  return labels[setting]?.() ?? setting;
}

const TEXT_MAX_LENGTH = 60;

const words: Readonly<Record<string, () => string>> = {
  dark: messages.dark,
  light: messages.light,
  more: messages.higher,
  less: messages.lower,
  bars: messages.bars,
  donut: messages.donut,
};

/** The value of a setting, of a tile of this table. */
export function settingText(
  setting: string,
  value: Json | undefined,
  table: Table | undefined,
): string {
  if (value === undefined || value === null) return messages.empty();
  const fieldLabel = (name: string) => (table && findField(table, name)?.label) ?? name;
  switch (setting) {
    case "layout":
      return placementText(value as unknown as Box);
    case "grid": {
      const { columns, rows } = value as unknown as Grid;
      return messages.gridText({ columns, rows });
    }
    case "filter":
      return filterText(value as unknown as Filter, fieldLabel);
    case "thresholds":
      return formatItems((value as unknown as Threshold[]).map(thresholdText));
    case "measure": {
      const { op, field } = value as unknown as Measure;
      return formatItems([
        measureLabels[op](),
        ...(field === undefined ? [] : [fieldLabel(field)]),
      ]);
    }
    case "trend":
    case "time": {
      const { field, bucket, count } = value as unknown as Time;
      const unit = bucketLabels[bucket]();
      return messages.timeText({ field: fieldLabel(field), count, unit });
    }
    case "kind":
      return kindLabels[value as keyof typeof kindLabels].label();
    case "group":
      return fieldLabel(String(value));
    case "order":
    case "fields":
      return formatItems([value].flat().map((name) => fieldLabel(String(name).replace(/^-/, ""))));
    default:
      return plainText(value);
  }
}

function plainText(value: Json): string {
  if (typeof value === "boolean") return value ? valueMessages.yes() : valueMessages.no();
  const text = typeof value === "object" ? JSON.stringify(value) : String(value);
  const shown = words[text]?.() ?? text;
  return shown.length > TEXT_MAX_LENGTH ? `${shown.slice(0, TEXT_MAX_LENGTH)}…` : shown;
}

function thresholdText({ at, below, word }: Threshold): string {
  return below
    ? messages.alertAtMost({ alert: word, at })
    : messages.alertAtLeast({ alert: word, at });
}

function placementText({ x, y, w, h }: Box): string {
  return messages.cells({ column: x + 1, row: y + 1, width: w, height: h });
}
