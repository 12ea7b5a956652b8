import { Title, UnstyledButton } from "@mantine/core";
import { IconPlus } from "@tabler/icons-react";
import type { TileKind } from "../../../../../shared/model/wallboard/tile.ts";
import { wallboardsMessages as messages } from "../../../messages/en/wallboards.ts";
import { kindLabels, possibleKinds, type Source } from "../form/new-tile.ts";
import classes from "./empty-wallboard.module.css";

interface Props {
  sources: readonly Source[];
  onAdd(kind: TileKind): void;
}

/** The kinds that most wallboards start with. */
const firstKinds: readonly TileKind[] = ["number", "breakdown", "queue", "trend", "clock", "text"];

/** A wallboard without tiles: outlined buttons that add a first tile. */
export function EmptyWallboard({ sources, onAdd }: Props) {
  const possible = possibleKinds(sources);
  return (
    <section className={classes.empty} aria-label={messages.emptyWallboard()}>
      <Title order={2}>{messages.addFirst()}</Title>
      <ul className={classes.ghosts}>
        {firstKinds
          .filter((kind) => possible.includes(kind))
          .map((kind) => (
            <li key={kind}>
              <UnstyledButton className={classes.ghost} onClick={() => onAdd(kind)}>
                <IconPlus size={18} stroke={1.7} aria-hidden="true" />
                <span>{kindLabels[kind].label()}</span>
                <small>{kindLabels[kind].hint()}</small>
              </UnstyledButton>
            </li>
          ))}
      </ul>
    </section>
  );
}
