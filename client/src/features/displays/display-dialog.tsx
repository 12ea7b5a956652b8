import { Modal, Text, TextInput } from "@mantine/core";
import { useState } from "react";
import {
  type FirstTitles,
  firstWallboard,
} from "../../../../shared/model/wallboard/first-wallboard.ts";
import type { VisibleTable } from "../../../../shared/model/wallboard/home-wallboard.ts";
import type { DisplayInfo } from "../../../../shared/protocol/displays.ts";
import { displaysMessages as messages } from "../../messages/en/displays.ts";
import { dayZone } from "../../state/day-zone.ts";
import { useAbilities, useModel } from "../../state/use-account.ts";
import { rest } from "../../transport/rest/rest.ts";
import { changedSettings } from "../../ui/changed-settings.ts";
import { noFill } from "../../ui/no-fill.ts";
import { SubmitForm } from "../../ui/submit-form.tsx";
import { toast } from "../../ui/toast.tsx";
import { DisplayFields } from "./display-fields.tsx";
import { readFields } from "./display-form.ts";
import type { WallboardName } from "./display-labels.ts";
import classes from "./displays.module.css";

/** An action that opens the dialog. */
export type DisplayTask =
  | { kind: "pair"; code: string }
  | { kind: "edit"; display: DisplayInfo }
  | { kind: "pairAgain"; display: DisplayInfo }
  | { kind: "takeOver"; display: DisplayInfo }
  | { kind: "revoke"; display: DisplayInfo }
  | { kind: "remove"; display: DisplayInfo };

interface Props {
  task: DisplayTask | null;
  wallboards: readonly WallboardName[];
  onClose: () => void;
  onDone: () => void;
}

/** The dialog of all actions for a display. Keeps its content while it closes. */
export function DisplayDialog({ task, wallboards, onClose, onDone }: Props) {
  const [last, setLast] = useState(task);
  if (task && task !== last) setLast(task);
  return (
    <Modal opened={task !== null} onClose={onClose} title={last && titleOf(last)} size={460}>
      {last && (
        <DialogForm key={JSON.stringify(last)} task={last} {...{ wallboards, onDone, onClose }} />
      )}
    </Modal>
  );
}

function titleOf(task: DisplayTask): string {
  switch (task.kind) {
    case "pair":
      return messages.pairScreen();
    case "edit":
      return messages.editTitle(task.display);
    case "pairAgain":
      return messages.pairAgainTitle(task.display);
    case "takeOver":
      return messages.takeOverTitle(task.display);
    case "revoke":
      return messages.revokeTitle(task.display);
    case "remove":
      return messages.removeTitle(task.display);
  }
}

const sentences = {
  pairAgain: messages.pairAgainText,
  takeOver: messages.takeOverText,
  revoke: messages.revokeText,
  remove: messages.removeText,
};

const buttons = {
  pair: messages.pair,
  edit: messages.save,
  pairAgain: messages.pair,
  takeOver: messages.takeOver,
  revoke: messages.revoke,
  remove: messages.remove,
} as const;

/** The choice of a wallboard that is made with the pairing, where there is none yet. */
const FIRST = "";

/** The table of the first wallboard, with the fields that its author may see; null for a user without the right to make one. */
function useFirstTable(): VisibleTable | null {
  const { tables, rights } = useAbilities();
  const table = useModel().tables.find(({ name }) => tables[name]?.read);
  if (!table || !rights.includes("wallboards")) return null;
  return { table, visible: tables[table.name]?.fields ?? [] };
}

const firstTitles: FirstTitles = {
  open: ({ label }) => messages.firstOpen({ records: label.toLowerCase() }),
  overdue: messages.firstOverdue,
  by: (field) => messages.firstBy({ field: field.toLowerCase() }),
};

async function createFirst(of: VisibleTable): Promise<string> {
  const { name, tiles } = firstWallboard(of, firstTitles);
  const body = { name, tiles, zone: dayZone() };
  return (await rest("POST /wallboards", { body })).id;
}

function DialogForm(props: {
  task: DisplayTask;
  wallboards: readonly WallboardName[];
  onDone: () => void;
  onClose: () => void;
}) {
  const { task, onDone, onClose } = props;
  const first = useFirstTable();
  const isFirst = task.kind === "pair" && props.wallboards.length === 0 && first !== null;
  const wallboards = isFirst
    ? [{ id: FIRST, name: messages.firstWallboard({ table: first.table.label }) }]
    : props.wallboards;
  const [chosen, setChosen] = useState<string[]>(
    task.kind === "edit"
      ? task.display.boards
      : wallboards.length === 1
        ? wallboards.map(({ id }) => id)
        : [],
  );
  const send = async (typed: Record<string, string>) => {
    // Made once, also if the code was wrong: its form then offers it by its name.
    const boards = isFirst ? [await createFirst(first)] : chosen;
    if (isFirst) setChosen(boards);
    toast(await runTask(task, typed, boards));
    onDone();
  };
  const isDestructive = task.kind === "revoke" || task.kind === "remove";
  const hasFields = task.kind === "pair" || task.kind === "edit";
  return (
    <SubmitForm
      send={send}
      onDone={onClose}
      action={buttons[task.kind]()}
      button={{
        disabled: hasFields && chosen.length === 0,
        ...(isDestructive && { color: "red" }),
      }}
    >
      {task.kind in sentences && (
        <Text size="sm">{sentences[task.kind as keyof typeof sentences]()}</Text>
      )}
      {(task.kind === "pair" || task.kind === "pairAgain") && (
        <CodeInput initial={task.kind === "pair" ? task.code : ""} />
      )}
      {hasFields && (
        <DisplayFields
          display={task.kind === "edit" ? task.display : null}
          wallboards={wallboards}
          chosen={chosen}
          onChoose={setChosen}
        />
      )}
    </SubmitForm>
  );
}

/** Runs the action. @returns the text of the toast. */
async function runTask(
  task: DisplayTask,
  typed: Record<string, string>,
  wallboards: string[],
): Promise<string> {
  const { code = "" } = typed;
  switch (task.kind) {
    case "pair": {
      const { dim: _, ...fields } = readFields(typed, wallboards);
      const { name } = fields;
      await rest("POST /displays", { body: { code, ...fields } });
      return messages.paired({ name });
    }
    case "edit":
      await rest("PATCH /displays/{id}", {
        params: { id: task.display.id },
        body: changedSettings(task.display, readFields(typed, wallboards)),
      });
      return messages.saved({ name: typed.name ?? "" });
    case "pairAgain":
      await rest("POST /displays/{id}/pair", { params: { id: task.display.id }, body: { code } });
      return messages.pairedAgain(task.display);
    case "takeOver":
      await rest("POST /displays/{id}/take-over", { params: { id: task.display.id } });
      return messages.takenOver(task.display);
    case "revoke":
      await rest("POST /displays/{id}/revoke", { params: { id: task.display.id } });
      return messages.revokedDone(task.display);
    case "remove":
      await rest("DELETE /displays/{id}", { params: { id: task.display.id } });
      return messages.removed(task.display);
  }
}

/** The pairing code: 8 characters. Spaces, dashes and case are ignored. */
function CodeInput({ initial }: { initial: string }) {
  return (
    <TextInput
      {...noFill}
      name="code"
      label={messages.code()}
      placeholder={messages.codeExample()}
      defaultValue={initial}
      required
      autoCapitalize="characters"
      spellCheck={false}
      maxLength={20}
      pattern="\s*([0-9A-Za-z][\s\-]*){8}"
      title={messages.codeFormat()}
      classNames={{ input: classes.code as string }}
      data-autofocus={initial === "" || undefined}
    />
  );
}
