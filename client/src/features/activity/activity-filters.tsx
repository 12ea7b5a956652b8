import { Button, NativeSelect, TextInput } from "@mantine/core";
import { useDisclosure } from "@mantine/hooks";
import { IconFilter, IconX } from "@tabler/icons-react";
import { findTable, type Table } from "../../../../shared/model/model.ts";
import { originSchema } from "../../../../shared/protocol/record.ts";
import type { UserInfo } from "../../../../shared/protocol/users.ts";
import { activityMessages as messages } from "../../messages/en/activity.ts";
import { commentMessages } from "../../messages/en/comments.ts";
import { originLabel } from "../../records/change-sets/labels.ts";
import { recordName } from "../../records/change-sets/record-name.ts";
import { SearchBox } from "../../records/toolbar/search-box.tsx";
import { useAbilities } from "../../state/use-account.ts";
import { pageLabels } from "../../sync/page/page-labels.ts";
import classes from "./activity.module.css";
import type { ActivityFilter } from "./activity-filter.ts";

interface Props {
  filter: ActivityFilter;
  tables: readonly Table[];
  users: readonly UserInfo[];
  /** Whether security events can be shown besides. */
  withEvents: boolean;
  onChange(change: Partial<ActivityFilter>): void;
}

/** What a filter is about is read from its value: each says what it shows where it hides nothing. */
const choice = { size: "xs", className: classes.choice ?? "" } as const;

/** The filters of the timeline, in one line. On a phone all but the search are behind a button, which counts those in use. */
export function ActivityFilters(props: Props) {
  const { filter, onChange } = props;
  const [isOpen, { toggle }] = useDisclosure(false);
  const { show, user, span, table, origin, field } = filter;
  const count = [show !== "all", user, span, table, origin, field].filter(Boolean).length;
  return (
    <search className={classes.filters}>
      <Button
        className={classes.filterToggle ?? ""}
        size="xs"
        variant="default"
        aria-expanded={isOpen}
        leftSection={<IconFilter size={16} aria-hidden="true" />}
        onClick={toggle}
      >
        {count > 0 ? messages.filtersInUse({ count }) : messages.filters()}
      </Button>
      <div className={classes.choices} data-open={isOpen || undefined}>
        <Choices {...props} />
      </div>
      {show !== "events" && (
        <div className={classes.search}>
          <SearchBox
            value={filter.search}
            label={messages.search()}
            onChange={(search) => onChange({ search })}
          />
        </div>
      )}
      <Chips {...props} />
    </search>
  );
}

function Choices(props: Props) {
  const { filter, tables, users, withEvents, onChange } = props;
  const select = (name: keyof ActivityFilter) => ({
    value: filter[name],
    onChange: (event: { currentTarget: HTMLSelectElement }) =>
      onChange({ [name]: event.currentTarget.value }),
  });
  return (
    <>
      <NativeSelect
        {...choice}
        aria-label={messages.show()}
        data-active={filter.show !== "all" || undefined}
        {...select("show")}
        data={[
          ...(withEvents ? [{ value: "all", label: messages.changesAndEvents() }] : []),
          { value: withEvents ? "changes" : "all", label: messages.changesOnly() },
          { value: "deleted", label: messages.deletedOnly() },
          ...(withEvents ? [{ value: "events", label: messages.eventsOnly() }] : []),
          { value: "comments", label: commentMessages.comments() },
        ]}
      />
      <NativeSelect
        {...choice}
        aria-label={messages.user()}
        data-active={filter.user !== "" || undefined}
        {...select("user")}
        data={[
          { value: "", label: messages.everyone() },
          ...users.map(({ id, name }) => ({ value: id, label: name })),
        ]}
      />
      <TimeFilter {...props} />
      {filter.show !== "events" && (
        <>
          <NativeSelect
            {...choice}
            aria-label={messages.table()}
            data-active={filter.table !== "" || undefined}
            value={filter.table}
            data={[
              { value: "", label: messages.allTables() },
              ...tables.map(({ name, label }) => ({ value: name, label })),
            ]}
            onChange={(event) =>
              onChange({ table: event.currentTarget.value, record: "", field: "" })
            }
          />
          {filter.show !== "comments" && <FieldFilter {...props} />}
          {filter.show !== "comments" && (
            <NativeSelect
              {...choice}
              aria-label={messages.origin()}
              data-active={filter.origin !== "" || undefined}
              {...select("origin")}
              data={[
                { value: "", label: messages.anyOrigin() },
                ...originSchema.options.map((value) => ({ value, label: originLabel(value) })),
              ]}
            />
          )}
        </>
      )}
    </>
  );
}

function TimeFilter({ filter, onChange }: Props) {
  const input = (name: "from" | "to", label: string) => (
    <TextInput
      size="xs"
      type="datetime-local"
      aria-label={label}
      value={filter[name]}
      onChange={(event) => onChange({ [name]: event.currentTarget.value })}
    />
  );
  return (
    <>
      <NativeSelect
        {...choice}
        aria-label={messages.time()}
        data-active={filter.span !== "" || undefined}
        value={filter.span}
        data={[
          { value: "", label: messages.anyTime() },
          { value: "hour", label: messages.lastHour() },
          { value: "day", label: messages.lastDay() },
          { value: "week", label: messages.lastWeek() },
          { value: "custom", label: messages.custom() },
        ]}
        onChange={(event) => onChange({ span: event.currentTarget.value })}
      />
      {filter.span === "custom" && input("from", messages.from())}
      {filter.span === "custom" && input("to", messages.to())}
    </>
  );
}

function FieldFilter({ filter, tables, onChange }: Props) {
  const table = tables.find(({ name }) => name === filter.table);
  const visible = useAbilities().tables[filter.table]?.fields ?? [];
  const fields = table?.fields.filter(({ name }) => visible.includes(name)) ?? [];
  if (!table) return null;
  return (
    <NativeSelect
      {...choice}
      aria-label={messages.field()}
      data-active={filter.field !== "" || undefined}
      value={filter.field}
      data={[
        { value: "", label: messages.allFields() },
        ...fields.map(({ name, label }) => ({ value: name, label })),
      ]}
      onChange={(event) => onChange({ field: event.currentTarget.value })}
    />
  );
}

/** Filters that come from a row or a link, and a button that clears all. */
function Chips({ filter, tables, onChange }: Props) {
  const table = findTable({ version: 0, tables: [...tables] }, filter.table);
  const record = table && filter.record && recordName(table, filter.record, [], pageLabels());
  const chips = [
    ...(record ? [{ name: "record", label: messages.onlyRecord({ record }) }] : []),
    ...(filter.changeSet ? [{ name: "changeSet", label: messages.onlyChangeSet() }] : []),
  ];
  if (chips.length === 0) return null;
  return (
    <div className={classes.chips}>
      {chips.map(({ name, label }) => (
        <Button
          key={name}
          size="compact-sm"
          variant="light"
          rightSection={<IconX size={14} aria-hidden="true" />}
          aria-label={messages.removeFilter({ filter: label })}
          onClick={() => onChange({ [name]: "" })}
        >
          {label}
        </Button>
      ))}
    </div>
  );
}
