import { Box, Menu, Text } from "@mantine/core";
import { IconCopy, IconTrash } from "@tabler/icons-react";
import { Link } from "wouter";
import { gridOf } from "../../../../../shared/model/wallboard/wallboard.ts";
import type { WallboardInfo } from "../../../../../shared/protocol/wallboards.ts";
import { wallboardsMessages as messages } from "../../../messages/en/wallboards.ts";
import { richText } from "../../../messages/rich-text.tsx";
import { ActionsMenu } from "../../../ui/actions-menu.tsx";
import { Ago } from "../../../ui/ago.tsx";
import { Hint } from "../../../ui/texts.ts";
import { FittedWallboard, FullScreenButton, usePublished } from "../live-wallboard.tsx";
import classes from "./wallboards.module.css";

interface Props {
  wallboard: WallboardInfo;
  /** Whether it shows its present values. */
  isLive: boolean;
  mayChange: boolean;
  onDuplicate(): void;
  onDelete(): void;
}

/** One wallboard: how it looks now, its name, and whether it is published. */
export function WallboardCard({ wallboard, isLive, mayChange, ...act }: Props) {
  const { onDuplicate, onDelete } = act;
  const { name, id, updated } = wallboard;
  return (
    <Box component="li" pos="relative">
      <Link href={`/wallboards/${encodeURIComponent(id)}`} className={classes.open}>
        {isLive && wallboard.published ? (
          <LiveThumbnail wallboard={wallboard} />
        ) : (
          <WallboardThumbnail wallboard={wallboard} />
        )}
        <Text span inherit truncate pl={4} pr={44} fw={600} lts="-0.01em">
          {name}
        </Text>
        <PublishStatus wallboard={wallboard} />
        <Hint span px={4}>
          {richText(
            updated.by ? messages.updatedBy({ user: updated.by.name }) : messages.updatedAt(),
            { time: () => <Ago at={updated.at} /> },
          )}
        </Hint>
      </Link>
      <span className={classes.menu}>
        {wallboard.published && <FullScreenButton id={id} name={name} />}
        {mayChange && <CardMenu name={name} onDuplicate={onDuplicate} onDelete={onDelete} />}
      </span>
    </Box>
  );
}

function CardMenu({
  name,
  onDuplicate,
  onDelete,
}: Pick<Props, "onDuplicate" | "onDelete"> & { name: string }) {
  return (
    <ActionsMenu label={messages.actionsFor({ name })}>
      <Menu.Item leftSection={<IconCopy size={16} stroke={1.6} />} onClick={onDuplicate}>
        {messages.duplicate()}
      </Menu.Item>
      <Menu.Item
        color="var(--wf-bad)"
        leftSection={<IconTrash size={16} stroke={1.6} />}
        onClick={onDelete}
      >
        {messages.delete()}
      </Menu.Item>
    </ActionsMenu>
  );
}

function PublishStatus({ wallboard: { published, version } }: { wallboard: WallboardInfo }) {
  if (!published) return <span className={classes.status}>{messages.draft()}</span>;
  const isBehind = published.version !== version;
  return (
    <span className={classes.status} data-published={!isBehind || undefined}>
      {isBehind ? messages.unpublishedChanges() : messages.published()}
    </span>
  );
}

/** The wallboard as it is now, or its sketch until that is known. */
function LiveThumbnail({ wallboard }: { wallboard: WallboardInfo }) {
  const view = usePublished(wallboard.id);
  if (!view.board) return <WallboardThumbnail wallboard={wallboard} />;
  return (
    <span className={classes.sketch} data-theme={view.board.theme} aria-hidden="true" inert>
      <FittedWallboard view={view} />
    </span>
  );
}

/** A sketch of the tiles, without values. */
function WallboardThumbnail({ wallboard }: { wallboard: WallboardInfo }) {
  const { columns, rows } = gridOf(wallboard);
  return (
    <span className={classes.sketch} data-theme={wallboard.theme} aria-hidden="true">
      {wallboard.tiles.map(({ id, kind, layout: { x, y, w, h } }) => (
        <span
          key={id}
          data-kind={kind}
          style={{
            left: `${(x / columns) * 100}%`,
            top: `${(y / rows) * 100}%`,
            width: `${(w / columns) * 100}%`,
            height: `${(h / rows) * 100}%`,
          }}
        />
      ))}
    </span>
  );
}
