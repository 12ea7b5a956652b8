import { Group, SegmentedControl, Switch, useMantineColorScheme } from "@mantine/core";
import { ownZone } from "../../../../shared/filter/zone.ts";
import { meMessages as messages } from "../../messages/en/me.ts";
import {
  type Density,
  densityAtom,
  deviceDaysAtom,
  setDensity,
  setDeviceDays,
  setSingleKeys,
  singleKeysAtom,
} from "../../state/preferences.ts";
import { useModel } from "../../state/use-account.ts";
import { useAtom } from "../../state/use-atom.ts";
import { schemes } from "../../ui/schemes.ts";
import { zoneText } from "../../ui/zone-text.ts";
import { Part } from "./part.tsx";

const densities = [
  { value: "comfortable", label: messages.comfortable },
  { value: "compact", label: messages.compact },
];

/** Theme, density and shortcuts of this browser. Stored in the browser, because devices differ. */
export function PreferencesPart() {
  const { colorScheme, setColorScheme } = useMantineColorScheme();
  const density = useAtom(densityAtom);
  const singleKeys = useAtom(singleKeysAtom);
  const deviceDays = useAtom(deviceDaysAtom);
  const { zone } = useModel();
  return (
    <Part title={messages.preferences()} text={messages.preferencesText()}>
      <Group gap="8px 24px" justify="space-between">
        <span id="scheme-label">{messages.theme()}</span>
        <SegmentedControl
          aria-labelledby="scheme-label"
          data={[...schemes]}
          value={colorScheme}
          onChange={(value) => setColorScheme(value as typeof colorScheme)}
        />
      </Group>
      <Group gap="8px 24px" justify="space-between">
        <span id="density-label">{messages.rows()}</span>
        <SegmentedControl
          aria-labelledby="density-label"
          data={densities.map(({ value, label }) => ({ value, label: label() }))}
          value={density}
          onChange={(value) => setDensity(value as Density)}
        />
      </Group>
      {zone !== undefined && zone !== ownZone() && (
        <Switch
          checked={deviceDays}
          onChange={(event) => setDeviceDays(event.currentTarget.checked)}
          label={messages.deviceDays({ zone: zoneText(ownZone()) })}
          description={messages.deviceDaysText({ zone: zoneText(zone) })}
        />
      )}
      <Switch
        checked={singleKeys}
        onChange={(event) => setSingleKeys(event.currentTarget.checked)}
        label={messages.singleKeys()}
        description={messages.singleKeysText()}
      />
    </Part>
  );
}
