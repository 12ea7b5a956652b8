import { Button, Loader, Popover, Text } from "@mantine/core";
import { IconArrowUpRight } from "@tabler/icons-react";
import { useEffect, useState } from "react";
import type { Field } from "../../../../../shared/model/model.ts";
import { recordCard } from "../../../../../shared/model/record-card.ts";
import { gridMessages as messages } from "../../../messages/en/grid.ts";
import { isEmptyOf } from "../../../records/fields/same-value.ts";
import { useLabelUpdates } from "../../../records/fields/use-label-updates.ts";
import { ValueMark } from "../../../records/fields/value-mark.tsx";
import { useTable } from "../../../state/use-account.ts";
import { rest } from "../../../transport/rest/rest.ts";
import { Hint } from "../../../ui/texts.ts";
import { useRemote } from "../../../ui/use-remote.ts";
import type { GridController } from "../grid-controller.ts";
import { followPointer, LINK_CARD, type PointedLink } from "./follow-pointer.ts";
import classes from "./links.module.css";

const FIELDS_SHOWN = 5;

/** The record behind the chip that the pointer rests on: its first fields, and a button that opens it. */
export function LinkCard({ grid }: { grid: GridController }) {
  const [pointed, setPointed] = useState<PointedLink | null>(null);
  useEffect(() => followPointer(grid, setPointed), [grid]);
  if (!pointed) return null;
  const { box, record, place } = pointed;
  const { left, top, width, height } = box;
  const open = () => {
    setPointed(null);
    grid.actions.openRecord(record, place);
  };
  return (
    <Popover
      opened
      position="bottom-start"
      shadow="md"
      radius="md"
      width={300}
      offset={6}
      withRoles={false}
      returnFocus={false}
      trapFocus={false}
    >
      <Popover.Target>
        <span style={{ position: "fixed", left, top, width, height, pointerEvents: "none" }} />
      </Popover.Target>
      {/* The focus stays in the rows. */}
      <Popover.Dropdown {...{ [LINK_CARD]: "" }} onMouseDown={(event) => event.preventDefault()}>
        <Card key={`${place.table} ${place.record}`} pointed={pointed} onOpen={open} />
      </Popover.Dropdown>
    </Popover>
  );
}

interface CardProps {
  pointed: PointedLink;
  onOpen(): void;
}

function Card({ pointed, onOpen }: CardProps) {
  const { place } = pointed;
  const table = useTable(place.table);
  useLabelUpdates();
  const { data, problem } = useRemote(() =>
    rest("GET /tables/{table}/records/{id}", {
      params: { table: place.table, id: place.record },
    }),
  );
  if (!table) return null;
  if (problem) return <Hint>{problem}</Hint>;
  if (!data) return <Loader size="xs" aria-label={messages.loadingLinked()} />;
  const { values } = data;
  const isFilled = (field: Field | undefined) =>
    field !== undefined && !isEmptyOf(field, values[field.name]);
  const { title, name, fields } = recordCard(table);
  const [head, below] = [title, name].filter(isFilled);
  const shown = fields.filter(isFilled).slice(0, FIELDS_SHOWN);
  return (
    <>
      <Hint fz="xs" tt="capitalize">
        {table.recordLabel}
      </Hint>
      <Text inherit mb={8} fw={600} style={{ overflowWrap: "anywhere" }} dir="auto">
        {head ? <ValueMark field={head} value={values[head.name]} /> : data.id}
      </Text>
      {below && (
        <Hint mb={8} fz="xs">
          <ValueMark field={below} value={values[below.name]} />
        </Hint>
      )}
      <dl className={classes.fields}>
        {shown.map((field) => (
          <div key={field.name}>
            <dt>{field.label}</dt>
            <dd>
              <ValueMark field={field} value={values[field.name]} />
            </dd>
          </div>
        ))}
      </dl>
      <Button
        size="compact-sm"
        variant="light"
        rightSection={<IconArrowUpRight size={14} aria-hidden="true" />}
        onClick={onOpen}
      >
        {messages.openLinked()}
      </Button>
    </>
  );
}
