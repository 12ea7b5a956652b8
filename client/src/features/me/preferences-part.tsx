import { SegmentedControl, Switch, useMantineColorScheme } from "@mantine/core";
import { type Density, setDensity, setSingleKeys } from "../../state/preferences.ts";
import { useDensity, useSingleKeysEnabled } from "../../state/use-preferences.ts";
import { schemes } from "../../ui/schemes.ts";
import { Part } from "./part.tsx";
import classes from "./preferences-part.module.css";

const densities = [
  { value: "comfortable", label: "Comfortable" },
  { value: "compact", label: "Compact" },
];

/** How this browser looks and listens. Kept in the browser, because screens differ. */
export function PreferencesPart() {
  const { colorScheme, setColorScheme } = useMantineColorScheme();
  const density = useDensity();
  const singleKeys = useSingleKeysEnabled();
  return (
    <Part title="Preferences" text="For this browser only: your other screens may differ.">
      <div className={classes.setting}>
        <span id="scheme-label">Theme</span>
        <SegmentedControl
          aria-labelledby="scheme-label"
          data={[...schemes]}
          value={colorScheme}
          onChange={(value) => setColorScheme(value as typeof colorScheme)}
        />
      </div>
      <div className={classes.setting}>
        <span id="density-label">Rows</span>
        <SegmentedControl
          aria-labelledby="density-label"
          data={densities}
          value={density}
          onChange={(value) => setDensity(value as Density)}
        />
      </div>
      <Switch
        checked={singleKeys}
        onChange={(event) => setSingleKeys(event.currentTarget.checked)}
        label="Shortcuts of a single key"
        description="Such as ? for the sheet of shortcuts. Turn off if you use speech input."
      />
    </Part>
  );
}
