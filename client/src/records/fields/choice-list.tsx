import { Box, Text } from "@mantine/core";
import { useEffect, useRef } from "react";
import type { Json } from "../../../../shared/filter/filter.ts";
import type { Choice } from "./choices.ts";
import classes from "./fields.module.css";
import { Part } from "./value-mark.tsx";
import { optionPart, userPart } from "./value-parts.ts";

interface Props {
  id: string;
  label: string;
  kind: "option" | "person" | "plain";
  choices: Choice[];
  active: number;
  /** The chosen value, or a list of them. */
  current: Json;
  /** Shown above the list, or instead of it. */
  note: string | undefined;
  onPick(choice: Choice): void;
  onHover(index: number): void;
}

/**
 * The list below an input. The pointer never takes the focus from the input, and a click does not count as outside of
 * its popover, so that a filter stays open while a value is chosen.
 */
export function ChoiceList(props: Props) {
  const { id, choices, active, current } = props;
  const list = useRef<HTMLDivElement>(null);
  useEffect(() => {
    list.current?.children[active]?.scrollIntoView({ block: "nearest" });
  }, [active]);
  return (
    // biome-ignore lint/a11y/noStaticElementInteractions: only keeps the focus in the input.
    <div
      className={classes.choices}
      onMouseDown={(event) => {
        event.preventDefault();
        event.stopPropagation();
      }}
      onTouchStart={(event) => event.stopPropagation()}
    >
      {props.note && (
        <Box px={12} py={8} c="dimmed" fz="xs">
          {props.note}
        </Box>
      )}
      <div
        ref={list}
        id={id}
        role="listbox"
        aria-label={props.label}
        aria-multiselectable={Array.isArray(current) || undefined}
      >
        {choices.map((choice, index) => (
          // biome-ignore lint/a11y/useKeyWithClickEvents: the keys are those of the input.
          // biome-ignore lint/a11y/useFocusableInteractive: reached by aria-activedescendant.
          <div
            key={choice.creates ? "create" : String(choice.value)}
            id={`${id}-${index}`}
            role="option"
            aria-selected={isChosen(choice, current)}
            data-active={index === active || undefined}
            className={classes.choice}
            onMouseMove={() => props.onHover(index)}
            onClick={(event) => {
              event.stopPropagation();
              props.onPick(choice);
            }}
          >
            <ChoiceMark kind={props.kind} choice={choice} />
            {isChosen(choice, current) && (
              <Text span inherit ms="auto" c="var(--mantine-color-anchor)" aria-hidden="true">
                ✓
              </Text>
            )}
          </div>
        ))}
      </div>
    </div>
  );
}

/** A choice as its value is shown. */
function ChoiceMark({ kind, choice: { label, colour } }: Pick<Props, "kind"> & { choice: Choice }) {
  if (kind === "option") return <Part part={optionPart(label, colour)} />;
  if (kind === "person") return <Part part={userPart(label, colour)} />;
  return (
    <Text dir="auto" span inherit truncate>
      {label}
    </Text>
  );
}

function isChosen({ value, creates }: Choice, current: Json): boolean {
  if (creates) return false;
  return Array.isArray(current) ? current.includes(value) : current === value;
}
