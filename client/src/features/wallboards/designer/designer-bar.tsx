import { Box, Group, Menu, NativeSelect, Text } from "@mantine/core";
import { IconArrowBackUp, IconArrowForwardUp, IconDeviceTv } from "@tabler/icons-react";
import type { WallboardInfo } from "../../../../../shared/protocol/wallboards.ts";
import { wallboardsMessages as messages } from "../../../messages/en/wallboards.ts";
import { draftAtom } from "../../../state/draft-state.ts";
import { useAtom } from "../../../state/use-atom.ts";
import type { WallboardDraft } from "../../../sync/wallboards/wallboard-draft.ts";
import { AddButton } from "../../../ui/add-button.tsx";
import { IconButton } from "../../../ui/icon-button.tsx";
import { formatAgo } from "../../../ui/numbers.ts";
import { ReadyButton } from "../../../ui/ready-button.tsx";
import { Hint } from "../../../ui/texts.ts";
import { toast } from "../../../ui/toast.tsx";
import { UserAvatar } from "../../../ui/user-avatar.tsx";
import { kindLabels, possibleKinds } from "../form/new-tile.ts";
import { FullScreenButton } from "../live-wallboard.tsx";
import type { OtherEditor } from "./canvas.tsx";
import classes from "./designer.module.css";
import type { ChosenScreen } from "./screens.ts";
import type { WallboardActions } from "./use-wallboard-actions.ts";

interface Props {
  id: string;
  draft: WallboardDraft;
  info: WallboardInfo;
  screens: readonly ChosenScreen[];
  screen: ChosenScreen;
  setScreen(screen: ChosenScreen): void;
  actions: WallboardActions;
  /** Other users in this designer. */
  editors: readonly OtherEditor[];
}

/** The wallboard's status, undo and redo, adding tiles, the preview screen, and publishing. */
export function DesignerBar(props: Props) {
  const { id, draft, info, actions, editors } = props;
  const { canUndo, canRedo, waiting } = useAtom(draftAtom(id));
  const isBehind = info.published?.version !== info.version;
  const publish = async () => {
    if (await draft.publish()) toast(messages.publishedDone({ name: info.name }));
  };
  return (
    <header className={classes.bar}>
      <Box miw={0}>
        <Text component="h1" truncate fz="lg" fw={600} lts="-0.01em" lh={1.3}>
          {info.name}
        </Text>
        <Hint fz="xs" role="status">
          {waiting > 0 ? messages.saving() : publishStatus(info)}
        </Hint>
      </Box>
      <Group gap={8}>
        {editors.map(({ name, colour }) => (
          <UserAvatar key={name} name={name} colour={colour} size={26} />
        ))}
        <IconButton label={messages.undo()} disabled={!canUndo} onClick={() => draft.undo()}>
          <IconArrowBackUp size={18} stroke={1.6} />
        </IconButton>
        <IconButton label={messages.redo()} disabled={!canRedo} onClick={() => draft.redo()}>
          <IconArrowForwardUp size={18} stroke={1.6} />
        </IconButton>
        {info.published && <FullScreenButton id={id} name={info.name} />}
        <AddTile actions={actions} />
        <ScreenChoice {...props} />
        <ReadyButton
          size="compact-md"
          isReady={isBehind || waiting > 0}
          onClick={() => void publish()}
        >
          {messages.publish()}
        </ReadyButton>
      </Group>
    </header>
  );
}

function publishStatus({ published, version }: WallboardInfo): string {
  if (!published) return messages.draft();
  if (published.version !== version) return messages.draftChanged();
  const ago = formatAgo(published.at);
  return published.by
    ? messages.publishedBy({ ago, user: published.by.name })
    : messages.publishedAt({ ago });
}

function AddTile({ actions }: { actions: WallboardActions }) {
  return (
    <Menu position="bottom-end" width={260}>
      <Menu.Target>
        <AddButton size="compact-md" variant="default">
          {messages.addTile()}
        </AddButton>
      </Menu.Target>
      <Menu.Dropdown>
        {possibleKinds(actions.sources).map((kind) => (
          <Menu.Item key={kind} onClick={() => actions.add(kind)}>
            <span className={classes.kind}>
              {kindLabels[kind].label()}
              <span>{kindLabels[kind].hint()}</span>
            </span>
          </Menu.Item>
        ))}
      </Menu.Dropdown>
    </Menu>
  );
}

function ScreenChoice({ screens, screen, setScreen }: Props) {
  return (
    <NativeSelect
      size="xs"
      className={classes.screen ?? ""}
      aria-label={messages.previewOn()}
      leftSection={<IconDeviceTv size={16} aria-hidden="true" />}
      value={screen.key}
      data={screens.map(({ key, label }) => ({ value: key, label }))}
      onChange={(event) => {
        const next = screens.find(({ key }) => key === event.currentTarget.value);
        if (next) setScreen(next);
      }}
    />
  );
}
