import { Button, Popover, SegmentedControl, Switch } from "@mantine/core";
import { IconBrush } from "@tabler/icons-react";
import {
  type Appearance,
  type RowHeight,
  rowHeights,
} from "../../../../../shared/model/view/appearance.ts";
import { lookMessages as messages } from "../../../messages/en/look.ts";
import bar from "../../../ui/toolbar/toolbar.module.css";
import type { GridController } from "../grid-controller.ts";
import { ColourRulesEditor } from "./colour-rules-editor.tsx";
import classes from "./look.module.css";

interface Props {
  grid: GridController;
  appearance: Appearance;
  onChange(appearance: Appearance): void;
}

/** How the rows of the view look: their height, wrapped texts, and colour rules. */
export function AppearanceMenu({ grid, appearance, onChange }: Props) {
  const { height = "short", wrap = false, rules = [] } = appearance;
  return (
    <Popover
      position="bottom-start"
      shadow="md"
      radius="lg"
      trapFocus
      returnFocus
      closeOnClickOutside
    >
      <Popover.Target>
        <Button
          variant={rules.length > 0 ? "light" : "subtle"}
          color={rules.length > 0 ? undefined : "gray"}
          size="compact-sm"
          fw={500}
          className={bar.iconic ?? ""}
          leftSection={<IconBrush size={16} aria-hidden="true" />}
        >
          <span className="wf-visually-hidden">{messages.appearance()}</span>
          {rules.length > 0 && <span className={bar.badge}>{rules.length}</span>}
        </Button>
      </Popover.Target>
      <Popover.Dropdown w="min(660px, 96vw)" className={classes.panel ?? ""}>
        <span className={classes.title}>{messages.rowHeight()}</span>
        <SegmentedControl
          size="xs"
          aria-label={messages.rowHeight()}
          data={rowHeights.map((value) => ({ value, label: messages[value]() }))}
          value={height}
          onChange={(value) => onChange({ ...appearance, height: value as RowHeight })}
        />
        <Switch
          size="xs"
          label={messages.wrap()}
          description={messages.wrapHint()}
          checked={wrap}
          onChange={(event) => onChange({ ...appearance, wrap: event.currentTarget.checked })}
        />
        <ColourRulesEditor
          grid={grid}
          rules={rules}
          onChange={(next) => onChange({ ...appearance, rules: next })}
        />
        <p className={classes.hint}>{messages.unsavedHint()}</p>
      </Popover.Dropdown>
    </Popover>
  );
}
