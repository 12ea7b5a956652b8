import { Button, Menu, Text } from "@mantine/core";
import {
  IconArrowBackUp,
  IconCheck,
  IconChevronDown,
  IconDeviceFloppy,
  IconEye,
  IconEyeCheck,
  IconPencil,
  IconPlus,
  IconSortAscendingNumbers,
  IconStack2,
  IconTable,
  IconTrash,
  IconUser,
  IconUsers,
} from "@tabler/icons-react";
import { useState } from "react";
import type { ViewInfo } from "../../../../shared/protocol/views.ts";
import { inboxMessages } from "../../messages/en/inbox.ts";
import { viewMessages as messages } from "../../messages/en/views.ts";
import { ConfirmDialog } from "../../ui/confirm-dialog.tsx";
import { Hint } from "../../ui/texts.ts";
import { toastProblem } from "../../ui/toast.tsx";
import { useWatch } from "../use-watch.ts";
import type { CurrentView } from "./use-current-view.ts";
import type { ViewActions } from "./use-view-actions.ts";
import { resetOrder } from "./view-calls.ts";
import { ViewNameDialog } from "./view-name-dialog.tsx";
import classes from "./views.module.css";

interface Props {
  /** The label of the table. */
  label: string;
  current: CurrentView;
  actions: ViewActions;
  mayOwn: boolean;
  mayShare: boolean;
  onClear(): void;
}

/** The id of the view to rename; absent for a new view. */
interface NameRequest {
  rename?: string;
}

const icon = { size: 16, stroke: 1.6 } as const;

/** The menu of views: the list, and the actions for the current one. */
export function ViewMenu(props: Props) {
  const { label, current, actions, mayOwn, mayShare } = props;
  const { view } = current;
  const [nameRequest, setNameRequest] = useState<NameRequest | null>(null);
  const [resetting, setResetting] = useState<ViewInfo | null>(null);
  // The dialog closes with its view, so that it does not rename another one.
  if (nameRequest?.rename && nameRequest.rename !== view?.id) setNameRequest(null);
  const mayChange = view !== null && (view.shared ? mayShare : mayOwn);
  const name = view?.name ?? messages.all({ table: label.toLowerCase() });
  return (
    <>
      <Menu position="bottom-start" width={280} returnFocus>
        <Menu.Target>
          <Button
            className={classes.target ?? ""}
            variant="default"
            size="xs"
            aria-label={
              actions.isChanged ? messages.viewUnsaved({ name }) : messages.view({ name })
            }
            leftSection={view ? <IconStack2 {...icon} /> : <IconTable {...icon} />}
            rightSection={<IconChevronDown size={14} />}
          >
            <Text span inherit truncate>
              {name}
            </Text>
            {actions.isChanged && <span className={classes.changed} aria-hidden="true" />}
          </Button>
        </Menu.Target>
        <Menu.Dropdown className={classes.menu ?? ""}>
          <Choices label={label} current={current} />
          {view && <WatchItem view={view} />}
          {view && (
            <ViewItems
              {...props}
              view={view}
              mayChange={mayChange}
              onRename={() => setNameRequest({ rename: view.id })}
              onReset={() => setResetting(view)}
            />
          )}
          {(mayOwn || mayShare) && (
            <>
              <Menu.Divider />
              <Menu.Item leftSection={<IconPlus {...icon} />} onClick={() => setNameRequest({})}>
                {messages.saveAsNew()}
              </Menu.Item>
            </>
          )}
        </Menu.Dropdown>
      </Menu>
      <NameDialogs {...props} nameRequest={nameRequest} onClose={() => setNameRequest(null)} />
      {resetting && (
        <ConfirmDialog
          title={messages.resetTitle({ name: resetting.name })}
          text={messages.resetText()}
          action={messages.reset()}
          run={() => resetOrder(resetting.id)}
          onClose={() => setResetting(null)}
        />
      )}
    </>
  );
}

function WatchItem({ view }: { view: ViewInfo }) {
  const { isWatched, toggle } = useWatch(view.table, { view: view.id });
  return (
    <>
      <Menu.Divider />
      <Menu.Item
        leftSection={isWatched ? <IconEyeCheck {...icon} /> : <IconEye {...icon} />}
        disabled={isWatched === null}
        onClick={toggle}
      >
        {isWatched ? inboxMessages.unwatchView() : inboxMessages.watchView()}
      </Menu.Item>
    </>
  );
}

interface SaveProps extends Pick<Props, "actions" | "mayOwn" | "mayShare"> {
  view: ViewInfo | null;
}

/** Saves the changes of the current view. Its menu offers the same. */
export function SaveViewButton({ view, actions, mayOwn, mayShare }: SaveProps) {
  const mayChange = view !== null && (view.shared ? mayShare : mayOwn);
  if (!mayChange || !actions.isChanged) return null;
  return (
    <Button className={classes.save ?? ""} variant="light" size="compact-sm" onClick={actions.save}>
      {messages.save()}
    </Button>
  );
}

/** The actions for the current view. */
function ViewItems(
  props: Props & { view: ViewInfo; mayChange: boolean; onRename(): void; onReset(): void },
) {
  const { view, actions, mayChange, mayOwn, mayShare, onClear, onRename, onReset } = props;
  if (!actions.isChanged && !mayChange) return null;
  return (
    <>
      <Menu.Divider />
      {actions.isOutdated && (
        <Hint py={6} px={12}>
          {messages.outdated()}
        </Hint>
      )}
      {actions.isChanged && mayChange && (
        <Menu.Item leftSection={<IconDeviceFloppy {...icon} />} onClick={actions.save}>
          {messages.saveChanges()}
        </Menu.Item>
      )}
      {actions.isChanged && (
        <Menu.Item leftSection={<IconArrowBackUp {...icon} />} onClick={onClear}>
          {messages.discardChanges()}
        </Menu.Item>
      )}
      {mayChange && (
        <>
          <Menu.Item leftSection={<IconPencil {...icon} />} onClick={onRename}>
            {messages.rename()}
          </Menu.Item>
          {view.orderVersion !== undefined && (
            <Menu.Item leftSection={<IconSortAscendingNumbers {...icon} />} onClick={onReset}>
              {messages.resetOrder()}
            </Menu.Item>
          )}
          {mayShare && <ShareItem view={view} mayOwn={mayOwn} actions={actions} />}
          <Menu.Item
            color="var(--wf-bad)"
            leftSection={<IconTrash {...icon} />}
            onClick={() => void actions.remove().catch(toastProblem)}
          >
            {messages.delete()}
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
        title={messages.newView()}
        action={messages.saveView()}
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
      title={messages.renameView()}
      action={messages.rename()}
      name={current.view.name}
      mayShare={false}
      mayOwn
      onName={actions.rename}
      onClose={onClose}
    />
  );
}

/** The plain table, the shared views and the private views. */
function Choices({ label, current }: Pick<Props, "label" | "current">) {
  const { view, views, choose } = current;
  const all = views ?? [];
  const parts = [
    { title: messages.shared(), items: all.filter(({ shared }) => shared) },
    { title: messages.mine(), items: all.filter(({ shared }) => !shared) },
  ];
  return (
    <div className={classes.choices}>
      <Choice
        name={messages.all({ table: label.toLowerCase() })}
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
      {view.shared ? messages.makePrivate() : messages.share()}
    </Menu.Item>
  );
}
