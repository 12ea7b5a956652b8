import { MultiSelect } from "@mantine/core";
import type { Tile, TileOf } from "../../../../../shared/model/wallboard/tile.ts";
import { wallboardsMessages as messages } from "../../../messages/en/wallboards.ts";
import { Choice, DraftNumber, DraftText, Toggle } from "./draft-inputs.tsx";
import classes from "./form.module.css";
import type { KindProps, PartProps } from "./form-props.ts";
import { groupFields, orderFields, timeFields } from "./tile-fields.ts";
import { TimePart } from "./time-part.tsx";

/** The settings that only this kind of tile has. */
export function KindPart({ tile, ...rest }: PartProps) {
  switch (tile.kind) {
    case "number":
      return <NumberPart tile={tile} {...rest} />;
    case "trend":
      return <TrendPart tile={tile} {...rest} />;
    case "breakdown":
    case "lights":
      return <GroupsPart tile={tile} {...rest} />;
    case "queue":
      return <QueuePart tile={tile} {...rest} />;
    case "progress":
      return <ProgressPart tile={tile} {...rest} />;
    case "activity":
      return <ActivityPart tile={tile} {...rest} />;
    case "clock":
      return <ClockPart tile={tile} {...rest} />;
    case "text":
      return (
        <DraftText
          label={messages.text()}
          lines={4}
          maxLength={5_000}
          value={tile.text}
          onValue={(text) => rest.onChange({ text } as Partial<Tile>)}
        />
      );
  }
}

function NumberPart({ tile, source, onChange }: KindProps<"number">) {
  const [first] = timeFields(source.fields);
  return (
    <>
      <div className={classes.pair}>
        <Target value={tile.target} onTarget={(target) => onChange({ target })} />
        <Choice
          label={messages.better()}
          value={tile.better ?? ""}
          choices={[
            ["", messages.neutral()],
            ["more", messages.higher()],
            ["less", messages.lower()],
          ]}
          onValue={(better) => onChange({ better: better || undefined })}
        />
      </div>
      {first && (
        <Toggle
          label={messages.trend()}
          checked={tile.trend !== undefined}
          onChecked={(checked) => {
            const trend = { field: first.name, bucket: "day", count: 14 } as const;
            onChange({ trend: checked ? trend : undefined });
          }}
        />
      )}
      {tile.trend && (
        <TimePart time={tile.trend} source={source} onTime={(trend) => onChange({ trend })} />
      )}
    </>
  );
}

function TrendPart({ tile, source, onChange }: KindProps<"trend">) {
  return (
    <>
      <TimePart time={tile.time} source={source} onTime={(time) => onChange({ time })} />
      <div className={classes.pair}>
        <Choice
          label={messages.lines()}
          value={tile.group ?? ""}
          choices={[["", messages.singleLine()] as const, ...namesOf(groupFields(source.fields))]}
          onValue={(group) => onChange({ group: group || undefined })}
        />
        <Target value={tile.target} onTarget={(target) => onChange({ target })} />
      </div>
    </>
  );
}

type Grouped = TileOf<"breakdown"> | TileOf<"lights">;

function GroupsPart({ tile, source, ...rest }: Omit<PartProps, "tile"> & { tile: Grouped }) {
  const onChange = rest.onChange as (change: object) => void;
  return (
    <>
      <div className={classes.pair}>
        <Choice
          label={messages.groupBy()}
          value={tile.group}
          choices={namesOf(groupFields(source.fields))}
          onValue={(group) => onChange({ group })}
        />
        <Limit value={tile.limit} usual={8} onLimit={(limit) => onChange({ limit })} />
      </div>
      <div className={classes.pair}>
        <Choice
          label={messages.order()}
          value={tile.order?.[0] ?? "-value"}
          choices={[
            ["-value", messages.largestFirst()],
            ["value", messages.smallestFirst()],
            ["key", messages.byName()],
          ]}
          onValue={(order) => onChange({ order: [order] })}
        />
        {tile.kind === "breakdown" && (
          <Choice
            label={messages.shape()}
            value={tile.shape}
            choices={[
              ["bars", messages.bars()],
              ["donut", messages.donut()],
            ]}
            onValue={(shape) => onChange({ shape })}
          />
        )}
      </div>
    </>
  );
}

function QueuePart({ tile, source, onChange }: KindProps<"queue">) {
  const [term = ""] = tile.order ?? [];
  const order = (field: string, descending: boolean) =>
    onChange({ order: field === "" ? undefined : [descending ? `-${field}` : field] });
  return (
    <>
      <MultiSelect
        size="xs"
        label={messages.columns()}
        data={namesOf(source.fields).map(([value, label]) => ({ value, label }))}
        value={tile.fields ?? [source.table.display]}
        maxValues={12}
        onChange={(fields) => onChange({ fields: fields.length > 0 ? fields : undefined })}
      />
      <div className={classes.pair}>
        <Choice
          label={messages.sortBy()}
          value={term.replace(/^-/, "")}
          choices={[["", messages.tableSort()] as const, ...namesOf(orderFields(source.fields))]}
          onValue={(field) => order(field, term.startsWith("-"))}
        />
        <Choice
          label={messages.sortOrder()}
          value={term.startsWith("-") ? "down" : "up"}
          choices={[
            ["up", messages.ascending()],
            ["down", messages.descending()],
          ]}
          onValue={(way) => order(term.replace(/^-/, ""), way === "down")}
        />
      </div>
      <Limit value={tile.limit} usual={10} onLimit={(limit) => onChange({ limit })} />
    </>
  );
}

function ProgressPart({ tile, onChange }: KindProps<"progress">) {
  const isPart = tile.of !== undefined;
  return (
    <div className={classes.pair}>
      <Choice
        label={messages.total()}
        value={isPart ? "all" : "target"}
        choices={[
          ["all", messages.allRecords()],
          ["target", messages.target()],
        ]}
        onValue={(whole) =>
          onChange(whole === "all" ? { of: {}, target: undefined } : { of: undefined, target: 100 })
        }
      />
      {!isPart && (
        <DraftNumber
          label={messages.target()}
          value={tile.target}
          decimals={6}
          onValue={(target = 100) => onChange({ target })}
        />
      )}
    </div>
  );
}

function ActivityPart({ tile, onChange }: KindProps<"activity">) {
  return (
    <>
      <Limit value={tile.limit} usual={10} onLimit={(limit) => onChange({ limit })} />
      <Toggle
        label={messages.showUsers()}
        checked={tile.people === true}
        onChecked={(checked) => onChange({ people: checked || undefined })}
      />
    </>
  );
}

function ClockPart({ tile, onChange }: KindProps<"clock">) {
  return (
    <>
      <Choice
        label={messages.hourFormat()}
        value={tile.hours}
        choices={[
          ["24", messages.hours24()],
          ["12", messages.hours12()],
        ]}
        onValue={(hours) => onChange({ hours })}
      />
      <Toggle
        label={messages.seconds()}
        checked={tile.seconds === true}
        onChecked={(checked) => onChange({ seconds: checked || undefined })}
      />
      <Toggle
        label={messages.date()}
        checked={tile.date === true}
        onChecked={(checked) => onChange({ date: checked || undefined })}
      />
    </>
  );
}

function Target(props: { value: number | undefined; onTarget(value: number | undefined): void }) {
  return (
    <DraftNumber
      label={messages.target()}
      value={props.value}
      decimals={6}
      placeholder={messages.noValue()}
      onValue={props.onTarget}
    />
  );
}

/** The maximum number of parts or rows; `usual` if the input is left empty. */
function Limit(props: { value: number; usual: number; onLimit(value: number): void }) {
  return (
    <DraftNumber
      label={messages.limit()}
      value={props.value}
      min={1}
      max={100}
      onValue={(limit = props.usual) => props.onLimit(limit)}
    />
  );
}

function namesOf(fields: readonly { name: string; label: string }[]) {
  return fields.map(({ name, label }) => [name, label] as const);
}
