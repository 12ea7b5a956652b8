import { Skeleton } from "@mantine/core";
import { uiMessages as messages } from "../messages/en/ui.ts";

const rows = ["92%", "78%", "85%", "64%", "88%", "71%", "80%", "58%"];

/** A placeholder while the code or data of a screen is loading. */
export function ScreenSkeleton() {
  return (
    <div style={{ padding: 24, display: "grid", gap: 16 }} aria-busy="true">
      <span className="wf-visually-hidden" role="status">
        {messages.loading()}
      </span>
      <Skeleton height={24} width={200} radius="sm" />
      {rows.map((width) => (
        <Skeleton key={width} height={16} width={width} radius="sm" />
      ))}
    </div>
  );
}
