import { Checkbox, Group, MultiSelect } from "@mantine/core";
import type { Filter } from "../../../../shared/filter/filter.ts";
import type { Table } from "../../../../shared/model/model.ts";
import { type WebhookEvent, webhookEvents } from "../../../../shared/protocol/webhooks.ts";
import { webhooksMessages as messages } from "../../messages/en/webhooks.ts";
import { FilterBuilder } from "../../records/filter/filter-builder.tsx";
import { noFill } from "../../ui/no-fill.ts";
import { Hint } from "../../ui/texts.ts";
import { eventLabels } from "./webhook-labels.ts";

/** What of a table is sent; without fields, all. */
export interface WebhookContent {
  events: WebhookEvent[];
  filter: Filter | null;
  fields: string[];
}

interface Props {
  table: Table;
  content: WebhookContent;
  onContent: (content: WebhookContent) => void;
}

/** Events, records and fields of a webhook. */
export function ContentFields({ table, content, onContent }: Props) {
  const { events, filter, fields } = content;
  const offered = webhookEvents.filter((event) => event !== "transition" || table.workflow);
  const change = (part: Partial<WebhookContent>) => onContent({ ...content, ...part });
  return (
    <>
      <Checkbox.Group
        label={messages.events()}
        description={table.workflow ? messages.transitionText() : undefined}
        value={events}
        onChange={(next) => change({ events: offered.filter((event) => next.includes(event)) })}
      >
        <Group gap="lg" mt={8}>
          {offered.map((event) => (
            <Checkbox key={event} value={event} label={eventLabels[event]()} />
          ))}
        </Group>
      </Checkbox.Group>
      <fieldset>
        <legend>{messages.records()}</legend>
        <FilterBuilder
          fields={table.fields}
          filter={filter}
          emptyHint={messages.allRecords()}
          onFilter={(next) => change({ filter: next })}
        />
        {filter && <Hint>{messages.recordsText()}</Hint>}
      </fieldset>
      <MultiSelect
        {...noFill}
        label={messages.fields()}
        description={messages.fieldsText()}
        value={fields}
        data={table.fields.map(({ name, label }) => ({ value: name, label }))}
        onChange={(next) => change({ fields: next })}
        searchable
        clearable
      />
    </>
  );
}
