import { deepEqual } from "../../../../shared/document/deep-equal.ts";
import type { DisplayInfo } from "../../../../shared/protocol/displays.ts";

/** The form's values, without a rotation where it was not offered. Without both times the display is not dimmed. */
export function readFields(typed: Record<string, string>, boards: string[]) {
  const { name = "", rotation, from = "", to = "" } = typed;
  return {
    name,
    boards,
    ...(rotation !== undefined && { rotationSeconds: Number(rotation) }),
    dim: from && to ? { from, to } : null,
  };
}

type Fields = Partial<ReturnType<typeof readFields>>;

/** The values that differ from those with which the form was opened: what others change of the rest meanwhile stays. */
export function changedFields(display: DisplayInfo, fields: Fields): Fields {
  const known: Record<string, unknown> = display;
  return Object.fromEntries(
    Object.entries(fields).filter(([name, value]) => !deepEqual(value, known[name])),
  );
}
