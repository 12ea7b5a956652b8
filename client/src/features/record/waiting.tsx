import { Group, Loader } from "@mantine/core";

/** Shown until a part of the panel is read. */
export function Waiting({ label }: { label: string }) {
  return (
    <Group justify="center" p="48px 16px">
      <Loader size="sm" aria-label={label} />
    </Group>
  );
}
