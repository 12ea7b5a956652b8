import { Button, Group } from "@mantine/core";
import type { ReactNode } from "react";
import { Dialog } from "../dialog.tsx";

interface Props {
  title: string;
  size?: number;
  /** The labels of the two buttons. */
  mine: string;
  theirs: string;
  onMine(): void;
  onTheirs(): void;
  onClose(): void;
  children: ReactNode;
}

/** Asks which version of a document to keep after two users changed it. */
export function ConflictDialog({ mine, theirs, onMine, onTheirs, children, ...modal }: Props) {
  return (
    <Dialog size={620} {...modal}>
      {children}
      <Group justify="flex-end" gap="sm" mt="xl">
        <Button variant="default" onClick={onTheirs}>
          {theirs}
        </Button>
        <Button onClick={onMine}>{mine}</Button>
      </Group>
    </Dialog>
  );
}
