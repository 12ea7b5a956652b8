import {
  type Bucket,
  buckets,
  type Time,
} from "../../../../../shared/model/wallboard/tile-parts.ts";
import { wallboardsMessages as messages } from "../../../messages/en/wallboards.ts";
import { Choice, DraftNumber } from "./draft-inputs.tsx";
import classes from "./form.module.css";
import type { Source } from "./new-tile.ts";
import { timeFields } from "./tile-fields.ts";

export const bucketLabels: Record<Bucket, () => string> = {
  minute: messages.intervalMinutes,
  hour: messages.intervalHours,
  day: messages.intervalDays,
  week: messages.intervalWeeks,
  month: messages.intervalMonths,
};

interface Props {
  time: Time;
  source: Source;
  onTime(time: Time): void;
}

/** The time field of a trend, and the number and length of its intervals. */
export function TimePart({ time, source, onTime }: Props) {
  return (
    <>
      <Choice
        label={messages.timeField()}
        value={time.field}
        choices={timeFields(source.fields).map(({ name, label }) => [name, label] as const)}
        onValue={(field) => onTime({ ...time, field })}
      />
      <div className={classes.pair}>
        <DraftNumber
          label={messages.last()}
          value={time.count}
          min={2}
          max={400}
          onValue={(count = 24) => onTime({ ...time, count })}
        />
        <Choice
          label={messages.interval()}
          value={time.bucket}
          choices={buckets.map((bucket) => [bucket, bucketLabels[bucket]()] as const)}
          onValue={(bucket) => onTime({ ...time, bucket })}
        />
      </div>
    </>
  );
}
