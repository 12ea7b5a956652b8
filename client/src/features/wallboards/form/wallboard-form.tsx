import { Stack, Title } from "@mantine/core";
import type { WallboardInfo } from "../../../../../shared/protocol/wallboards.ts";
import { wallboardsMessages as messages } from "../../../messages/en/wallboards.ts";
import type { EditedWallboard } from "../../../sync/wallboards/wallboard-edits.ts";
import { Hint } from "../../../ui/texts.ts";
import { Choice, DraftNumber, DraftText } from "./draft-inputs.tsx";
import classes from "./form.module.css";
import { ZoneChoice } from "./zone-choice.tsx";

interface Props {
  info: WallboardInfo;
  onWallboard(change: Partial<EditedWallboard>): void;
}

const GRID_MAX = 96;

/** The settings of the wallboard, shown if no tile is selected. */
export function WallboardForm({ info, onWallboard }: Props) {
  const { name, grid, zone, theme } = info;
  return (
    <Stack component="section" gap={12} aria-label={messages.wallboard()}>
      <Title order={2} size="h3">
        {messages.wallboard()}
      </Title>
      <DraftText
        label={messages.name()}
        value={name}
        maxLength={120}
        onValue={(text) => text.trim() && onWallboard({ name: text.trim() })}
      />
      <div className={classes.pair}>
        <DraftNumber
          label={messages.columns()}
          value={grid.columns}
          min={1}
          max={GRID_MAX}
          onValue={(columns = grid.columns) => onWallboard({ grid: { ...grid, columns } })}
        />
        <DraftNumber
          label={messages.rows()}
          value={grid.rows}
          min={1}
          max={GRID_MAX}
          onValue={(rows = grid.rows) => onWallboard({ grid: { ...grid, rows } })}
        />
      </div>
      <Choice
        label={messages.theme()}
        value={theme}
        choices={[
          ["dark", messages.dark()],
          ["light", messages.light()],
        ]}
        onValue={(value) => onWallboard({ theme: value })}
      />
      <ZoneChoice
        label={messages.timeZone()}
        zone={zone}
        onZone={(value) => value && onWallboard({ zone: value })}
      />
      <Hint textWrap="pretty">{messages.wallboardHint()}</Hint>
    </Stack>
  );
}
