import { Skeleton } from "@mantine/core";

const rows = ["92%", "78%", "85%", "64%", "88%", "71%", "80%", "58%"];

/** What a screen looks like before its code or data is there: still, and of the right shape. */
export function ScreenSkeleton() {
  return (
    <div style={{ padding: 24, display: "grid", gap: 16 }} aria-busy="true">
      <span className="wf-visually-hidden" role="status">
        Loading
      </span>
      <Skeleton height={24} width={200} radius="sm" />
      {rows.map((width) => (
        <Skeleton key={width} height={16} width={width} radius="sm" />
      ))}
    </div>
  );
}
