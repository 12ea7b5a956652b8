import { Button, Menu } from "@mantine/core";
import {
  IconArrowBackUp,
  IconCheck,
  IconChevronDown,
  IconDeviceFloppy,
  IconPencil,
  IconPlus,
  IconStack2,
  IconTable,
  IconTrash,
  IconUser,
  IconUsers,
} from "@tabler/icons-react";
import { useState } from "react";
import type { ViewInfo } from "../../../../shared/protocol/views.ts";
import { toastProblem } from "../toast.tsx";
import type { CurrentView } from "./use-current-view.ts";
import type { ViewActions } from "./use-view-actions.ts";
import { ViewNameDialog } from "./view-name-dialog.tsx";
import classes from "./views.module.css";

interface Props {
  /** What the table is called that the views are of. */
  label: string;
  current: CurrentView;
  actions: ViewActions;
  mayOwn: boolean;
  mayShare: boolean;
  onClear(): void;
}

/** What a name is asked for: the view of this id, or a new one. */
interface NameRequest {
  rename?: string;
}

const icon = { size: 16, stroke: 1.6 } as const;

/** The views of a table: which one is shown, the others, and what can be done with this one. */
export function ViewMenu(props: Props) {
  const { label, current, actions, mayOwn, mayShare } = props;
  const { view } = current;
  const [nameRequest, setNameRequest] = useState<NameRequest | null>(null);
  // a view that goes away takes its question along: it must not come back over another view
  if (nameRequest?.rename && nameRequest.rename !== view?.id) setNameRequest(null);
  const mayChange = view !== null && (view.shared ? mayShare : mayOwn);
  const name = view?.name ?? `All ${label.toLowerCase()}`;
  const unsaved = actions.isChanged ? ", with changes that are not saved" : "";
  return (
    <>
      <Menu position="bottom-start" width={280} returnFocus>
        <Menu.Target>
          <Button
            className={classes.target ?? ""}
            variant="default"
            size="xs"
            aria-label={`View: ${name}${unsaved}`}
            leftSection={view ? <IconStack2 {...icon} /> : <IconTable {...icon} />}
            rightSection={<IconChevronDown size={14} />}
          >
            <span className={classes.name}>{name}</span>
            {actions.isChanged && <span className={classes.changed} aria-hidden="true" />}
          </Button>
        </Menu.Target>
        <Menu.Dropdown className={classes.menu ?? ""}>
          <Choices label={label} current={current} />
          {view && (
            <ViewItems
              {...props}
              view={view}
              mayChange={mayChange}
              onRename={() => setNameRequest({ rename: view.id })}
            />
          )}
          {(mayOwn || mayShare) && (
            <>
              <Menu.Divider />
              <Menu.Item leftSection={<IconPlus {...icon} />} onClick={() => setNameRequest({})}>
                Save as a new view
              </Menu.Item>
            </>
          )}
        </Menu.Dropdown>
      </Menu>
      {view && actions.isChanged && mayChange && (
        <Button
          className={classes.save ?? ""}
          variant="light"
          size="compact-sm"
          onClick={actions.save}
        >
          Save
        </Button>
      )}
      <NameDialogs {...props} nameRequest={nameRequest} onClose={() => setNameRequest(null)} />
    </>
  );
}

/** What can be done with the view that is shown. */
function ViewItems(props: Props & { view: ViewInfo; mayChange: boolean; onRename(): void }) {
  const { view, actions, mayChange, mayOwn, mayShare, onClear, onRename } = props;
  if (!actions.isChanged && !mayChange) return null;
  return (
    <>
      <Menu.Divider />
      {actions.isOutdated && (
        <p className={classes.overtaken}>Others have saved changes of the same since.</p>
      )}
      {actions.isChanged && mayChange && (
        <Menu.Item leftSection={<IconDeviceFloppy {...icon} />} onClick={actions.save}>
          Save changes
        </Menu.Item>
      )}
      {actions.isChanged && (
        <Menu.Item leftSection={<IconArrowBackUp {...icon} />} onClick={onClear}>
          Discard changes
        </Menu.Item>
      )}
      {mayChange && (
        <>
          <Menu.Item leftSection={<IconPencil {...icon} />} onClick={onRename}>
            Rename
          </Menu.Item>
          {mayShare && <ShareItem view={view} mayOwn={mayOwn} actions={actions} />}
          <Menu.Item
            color="var(--wf-bad)"
            leftSection={<IconTrash {...icon} />}
            onClick={() => void actions.remove().catch(toastProblem)}
          >
            Delete
          </Menu.Item>
        </>
      )}
    </>
  );
}

function NameDialogs(props: Props & { nameRequest: NameRequest | null; onClose(): void }) {
  const { current, actions, mayOwn, mayShare, nameRequest, onClose } = props;
  if (nameRequest && !nameRequest.rename) {
    return (
      <ViewNameDialog
        title="New view"
        action="Keep this view"
        name=""
        mayShare={mayShare}
        mayOwn={mayOwn}
        onName={actions.saveAs}
        onClose={onClose}
      />
    );
  }
  if (!nameRequest || !current.view) return null;
  return (
    <ViewNameDialog
      title="Rename the view"
      action="Rename"
      name={current.view.name}
      mayShare={false}
      mayOwn
      onName={actions.rename}
      onClose={onClose}
    />
  );
}

/** The table as it is, what is shared, and what is mine. */
function Choices({ label, current }: Pick<Props, "label" | "current">) {
  const { view, views, choose } = current;
  const all = views ?? [];
  const parts = [
    { title: "Shared", items: all.filter(({ shared }) => shared) },
    { title: "Mine", items: all.filter(({ shared }) => !shared) },
  ];
  return (
    <div className={classes.choices}>
      <Choice
        name={`All ${label.toLowerCase()}`}
        isChosen={view === null}
        onChoose={() => choose(null)}
      />
      {parts.map(
        ({ title, items }) =>
          items.length > 0 && (
            <div key={title}>
              <Menu.Label>{title}</Menu.Label>
              {items.map(({ id, name }) => (
                <Choice
                  key={id}
                  name={name}
                  isChosen={view?.id === id}
                  onChoose={() => choose(id)}
                />
              ))}
            </div>
          ),
      )}
    </div>
  );
}

function Choice(props: { name: string; isChosen: boolean; onChoose(): void }) {
  const { name, isChosen, onChoose } = props;
  return (
    <Menu.Item
      aria-current={isChosen || undefined}
      rightSection={isChosen && <IconCheck {...icon} aria-hidden="true" />}
      onClick={onChoose}
    >
      <span className={classes.choice} dir="auto">
        {name}
      </span>
    </Menu.Item>
  );
}

function ShareItem(props: { view: ViewInfo; mayOwn: boolean; actions: ViewActions }) {
  const { view, mayOwn, actions } = props;
  if (view.shared && !mayOwn) return null;
  return (
    <Menu.Item
      leftSection={view.shared ? <IconUser {...icon} /> : <IconUsers {...icon} />}
      onClick={() => void actions.share(!view.shared).catch(toastProblem)}
    >
      {view.shared ? "Keep it for me alone" : "Share with everybody"}
    </Menu.Item>
  );
}
