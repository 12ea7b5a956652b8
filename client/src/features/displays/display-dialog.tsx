import { Button, Group, Modal, Stack, Text } from "@mantine/core";
import { useState } from "react";
import type { DisplayInfo } from "../../../../shared/protocol/displays.ts";
import {
  type BoardName,
  changeDisplay,
  claimDisplay,
  orderDisplay,
  pairDisplayAgain,
  removeDisplay,
} from "../../sync/calls/displays.ts";
import { FormProblem } from "../../ui/form-problem.tsx";
import { toast } from "../../ui/toast.tsx";
import { useSubmit } from "../../ui/use-submit.ts";
import { CodeInput } from "./code-input.tsx";
import { DisplayFields, readFields } from "./display-fields.tsx";

/** What is asked about displays. */
export type DialogOf =
  | { kind: "pair"; code: string }
  | { kind: "edit"; display: DisplayInfo }
  | { kind: "pairAgain"; display: DisplayInfo }
  | { kind: "revoke"; display: DisplayInfo }
  | { kind: "remove"; display: DisplayInfo };

interface Props {
  of: DialogOf | null;
  boards: readonly BoardName[];
  onClose: () => void;
  onDone: () => void;
}

/** One dialog for all that is asked about a display; it stays what it was while it closes. */
export function DisplayDialog({ of, boards, onClose, onDone }: Props) {
  const [last, setLast] = useState(of);
  if (of && of !== last) setLast(of);
  const done = () => {
    onDone();
    onClose();
  };
  return (
    <Modal
      opened={of !== null}
      onClose={onClose}
      title={last && titleOf(last)}
      size={460}
      padding="xl"
    >
      {last && <DialogForm key={JSON.stringify(last)} of={last} boards={boards} onDone={done} />}
    </Modal>
  );
}

function titleOf(of: DialogOf): string {
  switch (of.kind) {
    case "pair":
      return "Pair a screen";
    case "edit":
      return `Edit ${of.display.name}`;
    case "pairAgain":
      return `Another screen for ${of.display.name}`;
    case "revoke":
      return `Revoke ${of.display.name}?`;
    case "remove":
      return `Remove ${of.display.name}?`;
  }
}

const sentences = {
  pairAgain:
    "The screen that shows the code takes this display's place. The former one is out at once.",
  revoke:
    "Its screen goes dark within a second and shows a new code. Its name and boards stay here.",
  remove: "Its screen goes dark within a second, and the display is gone from this list.",
};

const buttons = {
  pair: "Pair",
  edit: "Save",
  pairAgain: "Pair",
  revoke: "Revoke",
  remove: "Remove",
} as const;

function DialogForm(props: { of: DialogOf; boards: readonly BoardName[]; onDone: () => void }) {
  const { of, boards, onDone } = props;
  const [chosen, setChosen] = useState<string[]>(
    of.kind === "edit" ? of.display.boards : boards.length === 1 ? boards.map(({ id }) => id) : [],
  );
  const { submit, busy, problem } = useSubmit(async (typed) => {
    toast(await carryOut(of, typed, chosen));
    onDone();
  });
  const isGrave = of.kind === "revoke" || of.kind === "remove";
  const hasFields = of.kind === "pair" || of.kind === "edit";
  return (
    <form onSubmit={submit}>
      <Stack gap="md">
        <FormProblem problem={problem} />
        {of.kind in sentences && (
          <Text size="sm">{sentences[of.kind as keyof typeof sentences]}</Text>
        )}
        {(of.kind === "pair" || of.kind === "pairAgain") && (
          <CodeInput initial={of.kind === "pair" ? of.code : ""} />
        )}
        {hasFields && (
          <DisplayFields
            display={of.kind === "edit" ? of.display : null}
            boards={boards}
            chosen={chosen}
            onChoose={setChosen}
          />
        )}
        <Group justify="flex-end">
          <Button
            type="submit"
            loading={busy}
            disabled={hasFields && chosen.length === 0}
            {...(isGrave ? { color: "red" } : {})}
          >
            {buttons[of.kind]}
          </Button>
        </Group>
      </Stack>
    </form>
  );
}

/** Does what the dialog asks, and answers what to say of it. */
async function carryOut(
  of: DialogOf,
  typed: Record<string, string>,
  boards: string[],
): Promise<string> {
  const { code = "" } = typed;
  switch (of.kind) {
    case "pair": {
      const { name, rotationSeconds } = readFields(typed, boards);
      await claimDisplay({ code, name, boards, rotationSeconds });
      return `${name} is paired: its boards show in a moment.`;
    }
    case "edit":
      await changeDisplay(of.display.id, readFields(typed, boards));
      return `${typed.name} follows.`;
    case "pairAgain":
      await pairDisplayAgain(of.display.id, code);
      return `${of.display.name} has another screen.`;
    case "revoke":
      await orderDisplay(of.display.id, "revoke");
      return `${of.display.name} is revoked.`;
    case "remove":
      await removeDisplay(of.display.id);
      return `${of.display.name} is removed.`;
  }
}
