import {
  type Bucket,
  buckets,
  type Time,
} from "../../../../../shared/model/wallboard/tile-parts.ts";
import { Choice, DraftNumber } from "./draft-inputs.tsx";
import classes from "./form.module.css";
import type { Source } from "./new-tile.ts";
import { timeFields } from "./tile-fields.ts";

const bucketLabels: Record<Bucket, string> = {
  minute: "minutes",
  hour: "hours",
  day: "days",
  week: "weeks",
  month: "months",
};

interface Props {
  time: Time;
  source: Source;
  onTime(time: Time): void;
}

/** By which time of a record, in how many pieces. */
export function TimePart({ time, source, onTime }: Props) {
  return (
    <>
      <Choice
        label="By"
        value={time.field}
        choices={timeFields(source.fields).map(({ name, label }) => [name, label] as const)}
        onValue={(field) => onTime({ ...time, field })}
      />
      <div className={classes.pair}>
        <DraftNumber
          label="The last"
          value={time.count}
          min={2}
          max={400}
          onValue={(count = 24) => onTime({ ...time, count })}
        />
        <Choice
          label="Pieces"
          value={time.bucket}
          choices={buckets.map((bucket) => [bucket, bucketLabels[bucket]] as const)}
          onValue={(bucket) => onTime({ ...time, bucket })}
        />
      </div>
    </>
  );
}
