import type { WallboardInfo } from "../../../../../shared/protocol/wallboards.ts";
import type { EditedBoard } from "../../../sync/wallboards/board-edits.ts";
import { Choice, DraftNumber, DraftText } from "./draft-inputs.tsx";
import classes from "./form.module.css";
import { ZoneChoice } from "./zone-choice.tsx";

interface Props {
  info: WallboardInfo;
  onBoard(change: Partial<EditedBoard>): void;
}

const GRID_MAX = 96;

/** What the board itself says: while no tile is selected. */
export function WallboardForm({ info, onBoard }: Props) {
  const { name, grid, zone, theme } = info;
  return (
    <section className={classes.form} aria-label="The board">
      <h2 className={classes.title}>Board</h2>
      <DraftText
        label="Name"
        value={name}
        maxLength={120}
        onValue={(text) => text.trim() && onBoard({ name: text.trim() })}
      />
      <div className={classes.pair}>
        <DraftNumber
          label="Columns"
          value={grid.columns}
          min={1}
          max={GRID_MAX}
          onValue={(columns = grid.columns) => onBoard({ grid: { ...grid, columns } })}
        />
        <DraftNumber
          label="Rows"
          value={grid.rows}
          min={1}
          max={GRID_MAX}
          onValue={(rows = grid.rows) => onBoard({ grid: { ...grid, rows } })}
        />
      </div>
      <Choice
        label="Colours"
        value={theme}
        choices={[
          ["dark", "Dark"],
          ["light", "Light"],
        ]}
        onValue={(value) => onBoard({ theme: value })}
      />
      <ZoneChoice
        label="Time zone"
        zone={zone}
        onZone={(value) => value && onBoard({ zone: value })}
      />
      <p className={classes.hint}>
        Choose a tile to change it, or drag it by the board. With the keyboard: arrows move the
        chosen tile, with Shift they resize it.
      </p>
    </section>
  );
}
