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
import classes from "./wallboards.module.css";

interface Props {
  wallboard: WallboardInfo;
  mayChange: boolean;
  onDuplicate(): void;
  onDelete(): void;
}

/** One wallboard: a sketch of its tiles, its name, and whether it is published. */
export function WallboardCard({ wallboard, mayChange, onDuplicate, onDelete }: Props) {
  const { name, id, updated } = wallboard;
  return (
    <Box component="li" pos="relative">
      <Link href={`/wallboards/${encodeURIComponent(id)}`} className={classes.open}>
        <WallboardThumbnail wallboard={wallboard} />
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
      {mayChange && (
        <ActionsMenu label={messages.actionsFor({ name })} className={classes.menu ?? ""}>
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
      )}
    </Box>
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
