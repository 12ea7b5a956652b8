import { ActionIcon, Box, Button, Group, Text } from "@mantine/core";
import { useElementSize } from "@mantine/hooks";
import { IconMinus, IconPlus } from "@tabler/icons-react";
import { type PointerEvent, type RefObject, useMemo, useRef } from "react";
import { initialStates } from "../../../../../shared/model/workflow.ts";
import { workflowMessages as messages } from "../../../messages/en/workflow.ts";
import { usePointerDrag } from "../../../ui/use-pointer-drag.ts";
import classes from "./diagram.module.css";
import { DiagramLines } from "./diagram-lines.tsx";
import { StateNode, TransitionNode } from "./diagram-nodes.tsx";
import { stateLabel } from "./edit-workflow.ts";
import { type DiagramLayout, layOut } from "./layout.ts";
import { isSelected, type WorkflowViewProps } from "./selection.ts";
import { frameMaxHeight, useZoom, type Zoom } from "./use-zoom.ts";

/**
 * The workflow as a diagram: states as cards, transitions as buttons between them. Dragging from a state's handle to
 * another state adds a transition.
 */
export function Diagram({ table, workflow, selection, onSelect, onConnect }: WorkflowViewProps) {
  const { ref, width } = useElementSize();
  const plan = useMemo(
    () => layOut(workflow, (value) => stateLabel(table, value)),
    [workflow, table],
  );
  const frame = useRef<HTMLDivElement>(null);
  const zoom = useZoom(frame, plan, width);
  const { scale } = zoom;
  const canvas = useRef<HTMLDivElement>(null);
  const connecting = useConnecting(canvas, scale, onConnect);
  const initial = initialStates(workflow);
  return (
    <Box ref={ref} pos="relative" miw={0}>
      <ZoomButtons zoom={zoom} />
      <div
        ref={frame}
        className={classes.frame}
        style={{ maxHeight: frameMaxHeight }}
        onPointerDown={zoom.pan}
        data-pannable={!zoom.isFitted || undefined}
      >
        {/** biome-ignore lint/a11y/useSemanticElements: a fieldset is for a form, this is a picture of buttons. */}
        <div
          className={classes.size}
          style={{ width: plan.width * scale, height: plan.height * scale }}
          role="group"
          onKeyDown={zoom.onKey}
          aria-label={messages.diagramOf({ table: table.label })}
        >
          <div
            ref={canvas}
            className={classes.canvas}
            style={{ width: plan.width, height: plan.height, transform: `scale(${scale})` }}
          >
            <DiagramLines plan={plan} selection={selection} drawn={connecting.line(plan)} />
            {workflow.states.map((state) => (
              <StateNode
                key={state.value}
                table={table}
                state={state}
                box={plan.states.get(state.value)}
                isInitial={initial.includes(state.value)}
                selected={isSelected(selection, { kind: "state", value: state.value })}
                target={connecting.over === state.value}
                onSelect={() => onSelect({ kind: "state", value: state.value })}
                onHandle={(event) => connecting.start(event, state.value)}
              />
            ))}
            {workflow.transitions.map((transition) => (
              <TransitionNode
                key={transition.name}
                table={table}
                transition={transition}
                box={plan.transitions.get(transition.name)}
                selected={isSelected(selection, { kind: "transition", name: transition.name })}
                onSelect={() => onSelect({ kind: "transition", name: transition.name })}
              />
            ))}
          </div>
        </div>
      </div>
    </Box>
  );
}

function ZoomButtons({ zoom }: { zoom: Zoom }) {
  return (
    <Group gap={4} wrap="nowrap" w="fit-content" mb={6} ms="auto">
      <ActionIcon size="sm" aria-label={messages.zoomOut()} onClick={zoom.zoomOut}>
        <IconMinus size={15} stroke={1.7} />
      </ActionIcon>
      <Text span miw="3.2em" fz="xs" ta="center" role="status" aria-label={messages.zoom()}>
        {Math.round(zoom.scale * 100)} %
      </Text>
      <ActionIcon size="sm" aria-label={messages.zoomIn()} onClick={zoom.zoomIn}>
        <IconPlus size={15} stroke={1.7} />
      </ActionIcon>
      <Button size="compact-xs" variant="subtle" disabled={zoom.isFitted} onClick={zoom.fit}>
        {messages.fit()}
      </Button>
    </Group>
  );
}

interface DrawnEdge {
  from: string;
  /** The pointer, in the diagram's own pixels. */
  x: number;
  y: number;
  over: string | null;
}

/** Draws a line from one state to another by pointer. Escape or releasing it elsewhere cancels. */
function useConnecting(
  canvas: RefObject<HTMLElement | null>,
  scale: number,
  onConnect: (from: string, to: string) => void,
) {
  const [drawn, setDrawn] = usePointerDrag<DrawnEdge>({
    move(was, event) {
      const { left = 0, top = 0 } = canvas.current?.getBoundingClientRect() ?? {};
      const over = stateUnder(event);
      return {
        ...was,
        x: (event.clientX - left) / scale,
        y: (event.clientY - top) / scale,
        over: over === was.from ? null : over,
      };
    },
    drop({ from }, event) {
      const to = stateUnder(event);
      if (to !== null && to !== from) onConnect(from, to);
    },
  });
  return {
    over: drawn?.over ?? null,
    start(event: PointerEvent, from: string) {
      event.preventDefault();
      event.stopPropagation();
      setDrawn({ from, x: Number.NaN, y: Number.NaN, over: null });
    },
    line(plan: DiagramLayout): string | null {
      const box = drawn && plan.states.get(drawn.from);
      if (!drawn || !box || Number.isNaN(drawn.x)) return null;
      return `M${box.x + box.width / 2} ${box.y} L${drawn.x} ${drawn.y}`;
    },
  };
}

function stateUnder(event: globalThis.PointerEvent): string | null {
  const found = document.elementFromPoint(event.clientX, event.clientY);
  return found?.closest<HTMLElement>("[data-state]")?.dataset.state ?? null;
}
