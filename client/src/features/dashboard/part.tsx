import { Skeleton, Stack, Text } from "@mantine/core";
import { type ReactNode, useId } from "react";

/** A section of the dashboard with its heading. */
export function Part({ title, children }: { title: string; children: ReactNode }) {
  const id = useId();
  return (
    <section aria-labelledby={id}>
      <Text id={id} component="h2" mb={8} fz="md" fw={600}>
        {title}
      </Text>
      {children}
    </section>
  );
}

/** Lines of these widths in percent, until a list is read. */
export function LineSkeletons({ widths, isTall }: { widths: readonly number[]; isTall?: true }) {
  return (
    // As high as the lines that come.
    <Stack gap={isTall ? 38 : 22} py={isTall ? 19 : 11} aria-hidden="true">
      {widths.map((width) => (
        <Skeleton key={width} height={14} width={`${width}%`} />
      ))}
    </Stack>
  );
}
