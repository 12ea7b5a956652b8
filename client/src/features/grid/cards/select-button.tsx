import { IconListCheck } from "@tabler/icons-react";
import { useEffect, useState } from "react";
import { gridMessages as messages } from "../../../messages/en/grid.ts";
import { ToolButton } from "../../../records/toolbar/tool-button.tsx";
import type { GridController } from "../grid-controller.ts";
import { SELECTING } from "./card-options.ts";

interface Props {
  grid: GridController;
  /** How many cards are selected. */
  selected: number;
}

/** Starts and ends the selection of cards. A long press on a card starts it as well. */
export function SelectButton({ grid, selected }: Props) {
  const [started, setStarted] = useState(false);
  const isSelecting = started || selected > 0;
  useEffect(() => {
    if (selected === 0) setStarted(false);
  }, [selected]);
  useEffect(() => {
    grid.host.toggleAttribute(SELECTING, isSelecting);
    return () => grid.host.removeAttribute(SELECTING);
  }, [grid, isSelecting]);
  const toggle = () => {
    if (isSelecting) grid.api.deselectAll();
    setStarted(!isSelecting);
  };
  return (
    <ToolButton
      icon={IconListCheck}
      label={messages.select()}
      isActive={isSelecting}
      aria-pressed={isSelecting}
      onClick={toggle}
    />
  );
}
