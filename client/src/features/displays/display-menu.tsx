import { ActionIcon, Menu } from "@mantine/core";
import { IconDots } from "@tabler/icons-react";
import type { DisplayInfo } from "../../../../shared/protocol/displays.ts";
import { changeDisplay, orderDisplay, type WallboardName } from "../../sync/calls/displays.ts";
import { toast, toastProblem } from "../../ui/toast.tsx";
import type { DisplayTask } from "./display-dialog.tsx";

interface Props {
  display: DisplayInfo;
  boards: readonly WallboardName[];
  onOpenDialog: (dialog: DisplayTask) => void;
  onChanged: () => void;
}

/** What can be asked of a display. All but the last part takes effect at once and does no harm. */
export function DisplayMenu({ display, boards, onOpenDialog, onChanged }: Props) {
  const { id, name, muted, status } = display;
  const run = async (work: Promise<unknown>, message: string, undo?: () => void) => {
    await work.then(() => toast(message, undo), toastProblem);
    onChanged();
  };
  const mute = (to: boolean) =>
    run(
      changeDisplay(id, { muted: to }),
      `${name} is ${to ? "muted" : "no longer muted"}.`,
      () => void mute(!to),
    );
  const isPaired = status !== "revoked" && status !== "pairing";
  return (
    <Menu position="bottom-end" width={230}>
      <Menu.Target>
        <ActionIcon aria-label={`Actions for ${name}`}>
          <IconDots size={18} />
        </ActionIcon>
      </Menu.Target>
      <Menu.Dropdown>
        {isPaired && (
          <>
            <Menu.Item
              onClick={() => run(orderDisplay(id, "identify"), `${name} shows its name now.`)}
            >
              Identify
            </Menu.Item>
            <Menu.Item
              onClick={() => run(orderDisplay(id, "reload"), `${name} loads itself anew.`)}
            >
              Reload
            </Menu.Item>
            <Menu.Item onClick={() => mute(!muted)}>{muted ? "Unmute" : "Mute"}</Menu.Item>
            {display.boards.length > 1 && <Boards display={display} boards={boards} run={run} />}
            <Menu.Divider />
          </>
        )}
        <Menu.Item onClick={() => onOpenDialog({ kind: "edit", display })}>Edit …</Menu.Item>
        <Menu.Item onClick={() => onOpenDialog({ kind: "pairAgain", display })}>
          Pair another screen …
        </Menu.Item>
        {status !== "revoked" && (
          <Menu.Item
            color="var(--wf-bad)"
            onClick={() => onOpenDialog({ kind: "revoke", display })}
          >
            Revoke …
          </Menu.Item>
        )}
        <Menu.Item color="var(--wf-bad)" onClick={() => onOpenDialog({ kind: "remove", display })}>
          Remove …
        </Menu.Item>
      </Menu.Dropdown>
    </Menu>
  );
}

type Run = (work: Promise<unknown>, message: string, undo?: () => void) => Promise<void>;

function Boards(props: { display: DisplayInfo; boards: readonly WallboardName[]; run: Run }) {
  const { display, boards, run } = props;
  const { id, name, showing } = display;
  const show = (board: string | null, message: string) =>
    run(changeDisplay(id, { showing: board }), message);
  return (
    <>
      <Menu.Divider />
      <Menu.Label>Show</Menu.Label>
      {showing !== null && (
        <Menu.Item onClick={() => show(null, `${name} shows its boards in turn.`)}>
          All in turn
        </Menu.Item>
      )}
      {boards
        .filter((board) => display.boards.includes(board.id) && board.id !== showing)
        .map((board) => (
          <Menu.Item key={board.id} onClick={() => show(board.id, `${name} shows ${board.name}.`)}>
            Only {board.name}
          </Menu.Item>
        ))}
    </>
  );
}
