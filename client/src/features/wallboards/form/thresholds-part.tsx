import { ActionIcon, Checkbox, Stack } from "@mantine/core";
import { IconTrash } from "@tabler/icons-react";
import type { DataTile } from "../../../../../shared/model/wallboard/tile.ts";
import {
  type AlertColour,
  alertColours,
  type Threshold,
} from "../../../../../shared/model/wallboard/tile-parts.ts";
import { wallboardsMessages as messages } from "../../../messages/en/wallboards.ts";
import { AddButton } from "../../../ui/add-button.tsx";
import { Choice, DraftNumber, DraftText } from "./draft-inputs.tsx";
import classes from "./form.module.css";
import { changed, type PartProps } from "./form-props.ts";

const THRESHOLDS_MAX = 10;
const colourLabels: Record<AlertColour, () => string> = {
  green: messages.green,
  blue: messages.blue,
  yellow: messages.yellow,
  orange: messages.orange,
  red: messages.red,
};

/** The thresholds from which a tile shows an alert; the last one that is reached applies. */
export function ThresholdsPart({ tile, onChange }: PartProps<DataTile>) {
  const { thresholds = [] } = tile;
  const write = (next: Threshold[]) => onChange({ thresholds: next.length > 0 ? next : undefined });
  const add = () => {
    const last = thresholds.at(-1)?.at ?? 0;
    write([...thresholds, { at: last + 1, word: messages.high(), colour: "red" }]);
  };
  return (
    <>
      {thresholds.map((one, index) => (
        <ThresholdRow
          // biome-ignore lint/suspicious/noArrayIndexKey: a threshold is its place in the list.
          key={index}
          threshold={one}
          onChange={(next) => write(thresholds.with(index, next))}
          onRemove={() => write(thresholds.toSpliced(index, 1))}
        />
      ))}
      {thresholds.length < THRESHOLDS_MAX && (
        <AddButton
          variant="subtle"
          size="compact-sm"
          style={{ justifySelf: "start" }}
          onClick={add}
        >
          {messages.addAlert()}
        </AddButton>
      )}
    </>
  );
}

interface RowProps {
  threshold: Threshold;
  onChange(threshold: Threshold): void;
  onRemove(): void;
}

function ThresholdRow({ threshold, onChange, onRemove }: RowProps) {
  const set = (change: { [K in keyof Threshold]?: Threshold[K] | undefined }) =>
    onChange(changed(threshold as never, change) as unknown as Threshold);
  const { at, below = false, word, colour, hysteresis, flash = false, sound = false } = threshold;
  return (
    <fieldset className={classes.threshold}>
      <legend className="wf-visually-hidden">{messages.alert({ alert: word })}</legend>
      <div className={classes.pair}>
        <Choice
          label={messages.condition()}
          value={below ? "below" : "above"}
          choices={[
            ["above", messages.atLeast()],
            ["below", messages.atMost()],
          ]}
          onValue={(side) => set({ below: side === "below" || undefined })}
        />
        <DraftNumber
          label={messages.value()}
          value={at}
          decimals={6}
          onValue={(value = at) => set({ at: value })}
        />
      </div>
      <div className={classes.pair}>
        <DraftText
          label={messages.alertLabel()}
          value={word}
          maxLength={40}
          onValue={(text) => text.trim() && set({ word: text.trim() })}
        />
        <Choice
          label={messages.colour()}
          value={colour}
          choices={alertColours.map((one) => [one, colourLabels[one]()] as const)}
          onValue={(value) => set({ colour: value })}
        />
      </div>
      <div className={classes.pair}>
        <DraftNumber
          label={messages.hysteresis()}
          value={hysteresis}
          min={0}
          decimals={6}
          placeholder="0"
          onValue={(value) => set({ hysteresis: value || undefined })}
        />
        <Stack gap={6} pt={8}>
          <Checkbox
            size="xs"
            label={messages.flash()}
            checked={flash}
            onChange={(event) => set({ flash: event.currentTarget.checked || undefined })}
          />
          <Checkbox
            size="xs"
            label={messages.sound()}
            checked={sound}
            onChange={(event) => set({ sound: event.currentTarget.checked || undefined })}
          />
        </Stack>
      </div>
      <ActionIcon
        pos="absolute"
        top={8}
        right={8}
        size="sm"
        aria-label={messages.removeAlert({ alert: word })}
        onClick={onRemove}
      >
        <IconTrash size={15} stroke={1.6} />
      </ActionIcon>
    </fieldset>
  );
}
