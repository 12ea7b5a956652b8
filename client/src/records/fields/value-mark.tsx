import { type CSSProperties, createElement, type ReactNode } from "react";
import type { Json } from "../../../../shared/filter/filter.ts";
import type { Field } from "../../../../shared/model/model.ts";
import { valueMessages as messages } from "../../messages/en/values.ts";
import { LABEL_WAITING } from "./label-waiting.ts";
import { useLookUp } from "./look-up.ts";
import { inlinePart, type ValuePart } from "./value-parts.ts";

interface Props {
  field: Field;
  value: Json | undefined;
  /** The value was erased for good. */
  isErased?: boolean;
}

/** A read-only value. Empty values are marked as such. */
export function ValueMark({ field, value, isErased = false }: Props) {
  const part = inlinePart(field, value, useLookUp());
  if (part) return <Part part={part} />;
  return <span className="wf-empty">{isErased ? messages.erased() : messages.empty()}</span>;
}

/** A part of a value, such as an option or a user, drawn by React. */
export function Part({ part }: { part: ValuePart }): ReactNode {
  const { className, text, children = [], hasDirection, isDecoration, style } = part;
  // A text of its own, so that it is replaced also where the browser has put a translation in its place.
  if (className === undefined) return <span translate="no">{text}</span>;
  return createElement(
    "span",
    {
      className: className || undefined,
      translate: "no",
      dir: hasDirection ? "auto" : undefined,
      "aria-hidden": isDecoration || undefined,
      style: style && ({ [style.name]: style.value } as CSSProperties),
    },
    text,
    ...children.map((child, at) => createElement(Part, { key: at, part: child })),
  );
}

/** A label, or a bar in its place until it is loaded. */
export function LabelText({ text }: { text: string }) {
  return text === LABEL_WAITING ? <span className="wf-waiting">{text}</span> : text;
}
