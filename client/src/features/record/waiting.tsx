import { Center, Loader } from "@mantine/core";

/** Shown until a part of the panel is read. */
export function Waiting({ label }: { label: string }) {
  return (
    <Center p="48px 16px">
      <Loader size="sm" aria-label={label} />
    </Center>
  );
}
