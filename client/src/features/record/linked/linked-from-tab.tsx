import { Box, Group, Stack } from "@mantine/core";
import { useEffect } from "react";
import { Link } from "wouter";
import type { Filter } from "../../../../../shared/filter/filter.ts";
import type { Field, Table } from "../../../../../shared/model/model.ts";
import { tableAddress } from "../../../../../shared/record-address.ts";
import { recordMessages as messages } from "../../../messages/en/record.ts";
import { useAbilities } from "../../../state/use-account.ts";
import { type LinkedRecords, readLinked } from "../../../sync/calls/linked-records.ts";
import { followTables } from "../../../sync/page/follow-tables.ts";
import { valuesForNew } from "../../../sync/page/new-values.ts";
import { pageCore } from "../../../sync/page/page-core.ts";
import { AddButton } from "../../../ui/add-button.tsx";
import { formatCount } from "../../../ui/numbers.ts";
import { Hint } from "../../../ui/texts.ts";
import { useRemote } from "../../../ui/use-remote.ts";
import { useRepeat } from "../../../ui/use-repeat.ts";
import { Waiting } from "../waiting.tsx";
import classes from "./linked.module.css";
import { LinkedTable } from "./linked-table.tsx";
import { useOpenLinked } from "./open-linked.ts";

/** Limits the subscriptions for models with many links to a table. */
const LIVE_TABLES_MAX = 6;
/** Refreshes the others. */
const REFRESH_MS = 30_000;

/** A field of another table, or of the same, that links to this one. */
export interface LinkSource {
  table: Table;
  field: Field;
  /** Whether the user can see the titles of its records. */
  isTitled: boolean;
  /** What its open records match; null where none of its fields that the user can see says that. */
  open: Filter | null;
}

interface Props {
  sources: readonly LinkSource[];
  record: string;
}

/** The records that link to this one, field by field, as far as the user can read them. */
export function LinkedFromTab({ sources, record }: Props) {
  const read = () => Promise.all(sources.map((source) => readLinked(source, record)));
  const { data, problem, reload } = useRemote(read, { key: record });
  const isCreatable = useCreatable();
  const names = [...new Set(sources.map(({ table }) => table.name))];
  const followed = names.slice(0, LIVE_TABLES_MAX).join("\n");
  useEffect(() => followTables(followed.split("\n"), reload), [followed, reload]);
  useRepeat(reload, names.length > LIVE_TABLES_MAX ? REFRESH_MS : null);
  if (!data) {
    if (problem) return <Hint p={16}>{problem}</Hint>;
    return <Waiting label={messages.loadingLinked()} />;
  }
  const found = data.filter((linked) => linked.records.length > 0 || isCreatable(linked));
  if (found.length === 0) return <Hint p={16}>{messages.notLinked()}</Hint>;
  return (
    <Stack gap={20} p="14px 16px 32px">
      {found.map((linked) => (
        <Source key={`${linked.table.name} ${linked.field.name}`} linked={linked} record={record} />
      ))}
    </Stack>
  );
}

/** Whether the user can create records that link by a field. */
function useCreatable(): (source: Pick<LinkSource, "table" | "field">) => boolean {
  const { tables } = useAbilities();
  return ({ table, field }) => {
    const abilities = tables[table.name];
    return Boolean(abilities?.create && abilities.update.includes(field.name));
  };
}

function Source({ linked, record }: { linked: LinkedRecords; record: string }) {
  const { table, field, records, total, totalExact } = linked;
  const filter = JSON.stringify({ and: [{ field: field.name, op: "eq", value: record }] });
  const count = formatCount(total);
  const isPart = total > records.length;
  const isCreatable = useCreatable()({ table, field });
  const open = useOpenLinked();
  const abilities = useAbilities().tables[table.name];
  const create = () => {
    const values = abilities ? valuesForNew(table, abilities, null) : {};
    const made = pageCore().edits.draft(table.name, { ...values, [field.name]: record });
    open({ table: table.name, record: made });
  };
  return (
    <section>
      <h3 className={classes.heading}>
        {messages.linkedCount({
          count: totalExact ? count : messages.moreThan({ count }),
          records: total === 1 ? table.recordLabel : table.label.toLowerCase(),
        })}
        <span>· {field.label}</span>
      </h3>
      {records.length > 0 && <LinkedTable linked={linked} />}
      <Group gap="4px 14px">
        {isCreatable && (
          <AddButton size="compact-sm" variant="subtle" onClick={create}>
            {messages.newRecord({ record: table.recordLabel })}
          </AddButton>
        )}
        {records.length > 0 && (
          <Box
            component={Link}
            fz="sm"
            href={`${tableAddress(table.name)}?${new URLSearchParams({ filter })}`}
          >
            {isPart ? messages.showAllLinked({ count }) : messages.showInTable()}
          </Box>
        )}
      </Group>
    </section>
  );
}
