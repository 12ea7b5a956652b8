import { Button, Group, Modal } from "@mantine/core";
import type { ReactNode } from "react";

interface Props {
  title: string;
  size?: number;
  /** What the two buttons say. */
  mine: string;
  theirs: string;
  onMine(): void;
  onTheirs(): void;
  onClose(): void;
  children: ReactNode;
}

/** Asks whose version of a document counts, where two people changed it. */
export function ConflictDialog({ mine, theirs, onMine, onTheirs, children, ...modal }: Props) {
  return (
    <Modal opened size={620} padding="xl" {...modal}>
      {children}
      <Group justify="flex-end" gap="sm" mt="xl">
        <Button variant="default" onClick={onTheirs}>
          {theirs}
        </Button>
        <Button onClick={onMine}>{mine}</Button>
      </Group>
    </Modal>
  );
}
