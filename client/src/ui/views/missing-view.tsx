import { Button } from "@mantine/core";
import { IconStack2 } from "@tabler/icons-react";
import { Notice } from "../notice.tsx";
import type { CurrentView } from "./use-current-view.ts";

/** Stands where a view was asked for that there is not. `label` is what the table is called. */
export function MissingView({ label, current }: { label: string; current: CurrentView }) {
  return (
    <Notice
      icon={<IconStack2 size={28} stroke={1.5} />}
      title="There is no such view"
      text="It was deleted, it is somebody’s own, or it shows what your role does not include."
    >
      <Button variant="light" onClick={() => current.choose(null)}>
        All {label.toLowerCase()}
      </Button>
    </Notice>
  );
}
