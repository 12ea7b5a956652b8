import type { DataTile } from "../../../../../shared/model/wallboard/tile.ts";
import { type MeasureOp, measureOps } from "../../../../../shared/model/wallboard/tile-parts.ts";
import { wallboardsMessages as messages } from "../../../messages/en/wallboards.ts";
import { Choice, DraftNumber } from "./draft-inputs.tsx";
import classes from "./form.module.css";
import type { PartProps } from "./form-props.ts";
import { measuredFields, measureLabels } from "./tile-fields.ts";

/** What the tile computes: the number of records, or an aggregate of a field. */
export function MeasurePart({ tile, source, onChange }: PartProps<DataTile>) {
  const { measure } = tile;
  const offered = measureOps.filter(
    (op) => op === "count" || measuredFields(op, source.fields).length > 0,
  );
  const fields = measuredFields(measure.op, source.fields);
  const choose = (op: MeasureOp) => {
    const fitting = measuredFields(op, source.fields);
    const field = fitting.find(({ name }) => name === measure.field) ?? fitting[0];
    onChange({ measure: op === "count" || !field ? { op: "count" } : { op, field: field.name } });
  };
  return (
    <div className={classes.pair}>
      <Choice
        label={messages.measure()}
        value={measure.op}
        choices={offered.map((op) => [op, measureLabels[op]()] as const)}
        onValue={choose}
      />
      {fields.length > 0 && (
        <Choice
          label={messages.field()}
          value={measure.field ?? ""}
          choices={fields.map(({ name, label }) => [name, label] as const)}
          onValue={(field) => onChange({ measure: { ...measure, field } })}
        />
      )}
      {measure.op === "percentile" && (
        <DraftNumber
          label={messages.percentile()}
          value={measure.percentile ?? 50}
          min={0}
          max={100}
          onValue={(percentile = 50) => onChange({ measure: { ...measure, percentile } })}
        />
      )}
    </div>
  );
}
