import { Menu } from "@mantine/core";
import type { DisplayInfo } from "../../../../shared/protocol/displays.ts";
import { displaysMessages as messages } from "../../messages/en/displays.ts";
import { rest } from "../../transport/rest/rest.ts";
import { ActionsMenu } from "../../ui/actions-menu.tsx";
import { toast, toastProblem } from "../../ui/toast.tsx";
import type { DisplayTask } from "./display-dialog.tsx";
import type { WallboardName } from "./display-labels.ts";

interface Props {
  display: DisplayInfo;
  wallboards: readonly WallboardName[];
  onOpenDialog: (dialog: DisplayTask) => void;
  onChanged: () => void;
}

/** The actions for a display. Those above the divider take effect immediately and are harmless. */
export function DisplayMenu({ display, wallboards, onOpenDialog, onChanged }: Props) {
  const { id, name, muted, status } = display;
  const run = async (work: Promise<unknown>, message: string, undo?: () => void) => {
    await work.then(() => toast(message, undo), toastProblem);
    onChanged();
  };
  const order = (to: "identify" | "reload") =>
    rest(`POST /displays/{id}/${to}`, { params: { id } });
  const mute = (to: boolean) =>
    run(
      rest("PATCH /displays/{id}", { params: { id }, body: { muted: to } }),
      to ? messages.mutedDone({ name }) : messages.unmutedDone({ name }),
      () => void mute(!to),
    );
  const isPaired = status !== "revoked" && status !== "pairing";
  return (
    <ActionsMenu label={messages.actionsFor({ name })} width={230}>
      {isPaired && (
        <>
          <Menu.Item onClick={() => run(order("identify"), messages.identified({ name }))}>
            {messages.identify()}
          </Menu.Item>
          <Menu.Item onClick={() => run(order("reload"), messages.reloading({ name }))}>
            {messages.reload()}
          </Menu.Item>
          <Menu.Item onClick={() => mute(!muted)}>
            {muted ? messages.unmute() : messages.mute()}
          </Menu.Item>
          {display.boards.length > 1 && (
            <Wallboards display={display} wallboards={wallboards} run={run} />
          )}
          <Menu.Divider />
        </>
      )}
      <Menu.Item onClick={() => onOpenDialog({ kind: "edit", display })}>
        {messages.editItem()}
      </Menu.Item>
      {display.ownerLeft && (
        <Menu.Item onClick={() => onOpenDialog({ kind: "takeOver", display })}>
          {messages.takeOverItem()}
        </Menu.Item>
      )}
      <Menu.Item onClick={() => onOpenDialog({ kind: "pairAgain", display })}>
        {messages.pairAgainItem()}
      </Menu.Item>
      {status !== "revoked" && (
        <Menu.Item color="var(--wf-bad)" onClick={() => onOpenDialog({ kind: "revoke", display })}>
          {messages.revokeItem()}
        </Menu.Item>
      )}
      <Menu.Item color="var(--wf-bad)" onClick={() => onOpenDialog({ kind: "remove", display })}>
        {messages.removeItem()}
      </Menu.Item>
    </ActionsMenu>
  );
}

type Run = (work: Promise<unknown>, message: string, undo?: () => void) => Promise<void>;

function Wallboards(props: {
  display: DisplayInfo;
  wallboards: readonly WallboardName[];
  run: Run;
}) {
  const { display, wallboards, run } = props;
  const { id, name, showing } = display;
  const show = (wallboard: string | null, message: string) =>
    run(rest("PATCH /displays/{id}", { params: { id }, body: { showing: wallboard } }), message);
  return (
    <>
      <Menu.Divider />
      <Menu.Label>{messages.show()}</Menu.Label>
      {showing !== null && (
        <Menu.Item onClick={() => show(null, messages.showingAll({ name }))}>
          {messages.showAll()}
        </Menu.Item>
      )}
      {wallboards
        .filter((wallboard) => display.boards.includes(wallboard.id) && wallboard.id !== showing)
        .map((wallboard) => (
          <Menu.Item
            key={wallboard.id}
            onClick={() =>
              show(wallboard.id, messages.showing({ name, wallboard: wallboard.name }))
            }
          >
            {messages.onlyWallboard({ wallboard: wallboard.name })}
          </Menu.Item>
        ))}
    </>
  );
}
