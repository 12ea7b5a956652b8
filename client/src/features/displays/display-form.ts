/** The form's values, without rotation and zone where they were not offered. Without both times the display is not dimmed. */
export function readFields(typed: Record<string, string>, boards: string[]) {
  const { name = "", rotation, zone, from = "", to = "" } = typed;
  return {
    name,
    boards,
    ...(rotation !== undefined && { rotationSeconds: Number(rotation) }),
    ...(zone !== undefined && { zone: zone === "" ? null : zone }),
    dim: from && to ? { from, to } : null,
  };
}
