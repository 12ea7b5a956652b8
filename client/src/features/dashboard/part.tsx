import { Skeleton, Stack } from "@mantine/core";
import { type ReactNode, useId } from "react";
import { Hint } from "../../ui/texts.ts";

/** A section of the dashboard with its heading. */
export function Part({ title, children }: { title: string; children: ReactNode }) {
  const id = useId();
  return (
    <section aria-labelledby={id}>
      <Hint id={id} component="h2" mb={10} fw={600}>
        {title}
      </Hint>
      {children}
    </section>
  );
}

/** Lines of these widths in percent, until a list is read. */
export function LineSkeletons({ widths }: { widths: readonly number[] }) {
  return (
    <Stack gap={18} py={8} aria-hidden="true">
      {widths.map((width) => (
        <Skeleton key={width} height={14} width={`${width}%`} />
      ))}
    </Stack>
  );
}
