import { SegmentedControl, Stack, Text } from "@mantine/core";
import {
  type Appearance,
  type RowHeight,
  rowHeights,
} from "../../../../../shared/model/view/appearance.ts";
import { lookMessages as messages } from "../../../messages/en/look.ts";
import { Hint } from "../../../ui/texts.ts";
import { TitledPopover } from "../../../ui/titled-popover.tsx";
import type { GridController } from "../grid-controller.ts";
import { ColourRulesEditor } from "./colour-rules-editor.tsx";

interface Props {
  grid: GridController;
  appearance: Appearance;
  onChange(appearance: Appearance): void;
  opened: boolean;
  onOpened(opened: boolean): void;
}

/** How the rows of the view look: their height, in which texts wrap where there is space, and colour rules. Below its place. */
export function AppearancePopover({ grid, appearance, onChange, opened, onOpened }: Props) {
  const { height = "short", rules = [] } = appearance;
  return (
    <TitledPopover
      opened={opened}
      onOpened={onOpened}
      position="bottom-end"
      title={messages.appearance()}
      wide
      mah="min(640px, 75vh)"
      style={{ overflowY: "auto" }}
    >
      <Stack gap={8}>
        <Text span fz="sm" fw={600}>
          {messages.rowHeight()}
        </Text>
        <SegmentedControl
          size="xs"
          aria-label={messages.rowHeight()}
          data={rowHeights.map((value) => ({ value, label: messages[value]() }))}
          value={height}
          onChange={(value) => onChange({ ...appearance, height: value as RowHeight })}
        />
        <ColourRulesEditor
          grid={grid}
          rules={rules}
          onChange={(next) => onChange({ ...appearance, rules: next })}
        />
        <Hint fz="xs">{messages.unsavedHint()}</Hint>
      </Stack>
    </TitledPopover>
  );
}
