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
