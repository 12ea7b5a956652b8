import { Button, Popover, type PopoverDropdownProps, Text } from "@mantine/core";
import { useMediaQuery } from "@mantine/hooks";
import type { ReactNode } from "react";
import { uiMessages } from "../messages/en/ui.ts";

interface Props extends Omit<PopoverDropdownProps, "w"> {
  opened: boolean;
  onOpened(opened: boolean): void;
  /** The button, which opens and closes it. Without one it is in its own place, opened by something else. */
  target?: ReactNode;
  title: string;
  /** 480 pixels in place of 320: where a line of it has several inputs. */
  wide?: boolean;
  closeOnEscape?: boolean;
  position?: "bottom-start" | "bottom-end";
}

/**
 * What a button opens: 8 pixels below it, of one of two widths, with its name above. A finger has no Escape, and a tap beside it would open the
 * record that is there: it has a button that closes it then, and covers the page. With an `aria-label` of its own it is called by that, and its
 * button says itself that it opens something.
 */
export function TitledPopover(props: Props) {
  const { opened, onOpened, target, title, wide, closeOnEscape = true, children, ...rest } = props;
  const { position = "bottom-start", ...dropdown } = rest;
  const hasRoles = target !== undefined && dropdown["aria-label"] === undefined;
  const isTouch =
    useMediaQuery("(pointer: coarse)", undefined, { getInitialValueInEffect: false }) ?? false;
  return (
    <Popover
      opened={opened}
      onChange={onOpened}
      position={position}
      withRoles={hasRoles}
      offset={8}
      shadow="md"
      radius="lg"
      trapFocus
      returnFocus
      closeOnEscape={closeOnEscape}
      withOverlay={isTouch}
      // At the end of a tap: at its beginning the cover would go, and the tap would end on what is below.
      {...(isTouch && { clickOutsideEvents: ["click"] })}
      overlayProps={{ backgroundOpacity: 0.2 }}
    >
      <Popover.Target>{target ?? <span />}</Popover.Target>
      <Popover.Dropdown
        w={wide ? "min(480px, 96vw)" : "min(320px, 96vw)"}
        fz="sm"
        {...(!hasRoles && { role: "dialog", "aria-label": title })}
        {...dropdown}
      >
        <Text fz="sm" fw={600} mb={8} aria-hidden="true">
          {title}
        </Text>
        {children}
        {isTouch && (
          <Button fullWidth mt={8} variant="default" onClick={() => onOpened(false)}>
            {uiMessages.close()}
          </Button>
        )}
      </Popover.Dropdown>
    </Popover>
  );
}
