import { Stack, Title } from "@mantine/core";
import type { ReactNode } from "react";
import type { Table } from "../../../../../shared/model/model.ts";
import { modelMessages } from "../../../messages/en/model.ts";
import { RemoveButton } from "../../../ui/remove-button.tsx";
import { toast } from "../../../ui/toast.tsx";
import { useTableEditor } from "../draft/use-table-editor.ts";

interface Props {
  title: string;
  /** The name of the form, for screen readers. */
  name: string;
  /** What is removed, as the notice calls it. */
  subject: string;
  /** The text of the button that removes it. */
  removal: string;
  remove(table: Table): Table;
  onRemoved(): void;
  children: ReactNode;
}

/** The settings of what is selected in the diagram, and a button that removes it. */
export function InspectorForm({ title, name, subject, removal, remove, ...props }: Props) {
  const { change } = useTableEditor();
  const onRemove = () => {
    const undo = change(remove);
    props.onRemoved();
    toast(modelMessages.removedFromDraft({ name: subject }), undo);
  };
  return (
    <Stack
      component="form"
      gap={14}
      miw={0}
      aria-label={name}
      onSubmit={(event) => event.preventDefault()}
    >
      <Title order={3}>{title}</Title>
      {props.children}
      <RemoveButton onClick={onRemove}>{removal}</RemoveButton>
    </Stack>
  );
}
