import { Checkbox, Group, NativeSelect, Stack, Text, TextInput } from "@mantine/core";
import { useState } from "react";
import type { DisplayInfo } from "../../../../shared/protocol/displays.ts";
import { displaysMessages as messages } from "../../messages/en/displays.ts";
import { noFill } from "../../ui/no-fill.ts";
import { zonesWith, zoneText } from "../../ui/zone-text.ts";
import type { WallboardName } from "./display-labels.ts";

interface Props {
  /** The display to edit; null for a new one. */
  display: DisplayInfo | null;
  wallboards: readonly WallboardName[];
  chosen: string[];
  onChoose: (wallboards: string[]) => void;
}

const rotations = [10, 15, 20, 30, 45, 60, 120, 300, 600];
const DEFAULT_ROTATION = 30;

/** Name, wallboards, rotation, dimming and time zone of a display. */
export function DisplayFields({ display, wallboards, chosen, onChoose }: Props) {
  const seconds = display?.rotationSeconds ?? DEFAULT_ROTATION;
  const choices = [...new Set([...rotations, seconds])].sort((a, b) => a - b);
  return (
    <>
      <TextInput
        {...noFill}
        name="name"
        label={messages.name()}
        description={messages.nameText()}
        defaultValue={display?.name ?? ""}
        required
        maxLength={120}
      />
      <Checkbox.Group label={messages.wallboards()} value={chosen} onChange={onChoose}>
        <Stack gap={8} mt={6}>
          {wallboards.map(({ id, name }) => (
            <Checkbox key={id} value={id} label={name} />
          ))}
          {wallboards.length === 0 && (
            <Text size="sm" c="dimmed">
              {messages.noWallboards()}
            </Text>
          )}
        </Stack>
      </Checkbox.Group>
      {chosen.length > 1 && (
        <NativeSelect
          name="rotation"
          label={messages.rotation()}
          defaultValue={String(seconds)}
          data={choices.map((value) => ({ value: String(value), label: durationLabel(value) }))}
        />
      )}
      {display && <DimHours dim={display.dim} />}
      {display && (
        <NativeSelect
          name="zone"
          label={messages.zone()}
          description={messages.zoneText()}
          defaultValue={display.zone ?? ""}
          data={[
            { value: "", label: messages.noZone() },
            ...zonesWith(display.zone ?? "UTC").map((one) => ({
              value: one,
              label: zoneText(one),
            })),
          ]}
        />
      )}
    </>
  );
}

/** Both times, or none. */
function DimHours({ dim }: Pick<DisplayInfo, "dim">) {
  const [{ from, to }, setTyped] = useState({ from: dim?.from ?? "", to: dim?.to ?? "" });
  const input = { type: "time", required: from !== "" || to !== "", withAsterisk: false };
  return (
    <Group grow align="flex-start">
      <TextInput
        {...noFill}
        {...input}
        name="from"
        label={messages.dimFrom()}
        value={from}
        onChange={(event) => setTyped({ from: event.currentTarget.value, to })}
      />
      <TextInput
        {...noFill}
        {...input}
        name="to"
        label={messages.dimUntil()}
        value={to}
        onChange={(event) => setTyped({ from, to: event.currentTarget.value })}
      />
    </Group>
  );
}

function durationLabel(seconds: number): string {
  return seconds < 60 || seconds % 60 > 0
    ? messages.seconds({ count: seconds })
    : messages.minutes({ count: seconds / 60 });
}
