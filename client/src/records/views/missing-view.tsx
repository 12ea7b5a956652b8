import { Button } from "@mantine/core";
import { IconStack2 } from "@tabler/icons-react";
import { viewMessages as messages } from "../../messages/en/views.ts";
import { Notice } from "../../ui/notice.tsx";
import type { CurrentView } from "./use-current-view.ts";

/** Shown for the address of a missing view. `label` is the label of the table. */
export function MissingView({ label, current }: { label: string; current: CurrentView }) {
  return (
    <Notice icon={IconStack2} title={messages.notFound()} text={messages.notFoundText()}>
      <Button variant="light" onClick={() => current.choose(null)}>
        {messages.all({ table: label.toLowerCase() })}
      </Button>
    </Notice>
  );
}
