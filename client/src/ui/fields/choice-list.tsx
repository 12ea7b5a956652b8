import { useEffect, useRef } from "react";
import type { Json } from "../../../../shared/filter/filter.ts";
import { ChoiceMark } from "./choice-mark.tsx";
import type { Choice } from "./choices.ts";
import classes from "./fields.module.css";

interface Props {
  id: string;
  label: string;
  kind: "option" | "person" | "plain";
  choices: Choice[];
  active: number;
  /** What is chosen now: one value, or a list of them where several may be. */
  current: Json;
  /** What to say instead of a list. */
  note: string | undefined;
  onPick(choice: Choice): void;
  onHover(index: number): void;
}

/**
 * The list under a choosing input. The pointer never takes the focus out of the input, nor counts as one beside
 * what the input stands in: a filter stays open when somebody chooses a value in it.
 */
export function ChoiceList(props: Props) {
  const { id, choices, active, current } = props;
  const list = useRef<HTMLDivElement>(null);
  useEffect(() => {
    list.current?.children[active]?.scrollIntoView({ block: "nearest" });
  }, [active]);
  return (
    // biome-ignore lint/a11y/noStaticElementInteractions: only keeps the focus where it is.
    <div
      className={classes.choices}
      onMouseDown={(event) => {
        event.preventDefault();
        event.stopPropagation();
      }}
      onTouchStart={(event) => event.stopPropagation()}
    >
      {props.note && <div className={classes.note}>{props.note}</div>}
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
            key={String(choice.value)}
            id={`${id}-${index}`}
            role="option"
            aria-selected={isChosen(choice, current)}
            data-active={index === active || undefined}
            className={classes.choice}
            onMouseMove={() => props.onHover(index)}
            onClick={() => props.onPick(choice)}
          >
            <ChoiceMark kind={props.kind} choice={choice} />
            {isChosen(choice, current) && (
              <span className={classes.tick} aria-hidden="true">
                ✓
              </span>
            )}
          </div>
        ))}
      </div>
    </div>
  );
}

function isChosen({ value }: Choice, current: Json): boolean {
  return Array.isArray(current) ? current.includes(value) : current === value;
}
