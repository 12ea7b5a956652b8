import {
  Button,
  Checkbox,
  Group,
  MultiSelect,
  NativeSelect,
  Stack,
  TextInput,
} from "@mantine/core";
import { useState } from "react";
import type { Filter } from "../../../../shared/filter/filter.ts";
import { findTable } from "../../../../shared/model/model.ts";
import {
  type WebhookEvent,
  type WebhookInfo,
  webhookEvents,
} from "../../../../shared/protocol/webhooks.ts";
import { webhooksMessages as messages } from "../../messages/en/webhooks.ts";
import { useAbilities, useModel } from "../../state/use-account.ts";
import { changeWebhook, createWebhook } from "../../sync/calls/webhooks.ts";
import { pageLabels } from "../../sync/page/page-labels.ts";
import { FilterBuilder } from "../../ui/filter/filter-builder.tsx";
import { FormProblem } from "../../ui/form-problem.tsx";
import { toast } from "../../ui/toast.tsx";
import { useSubmit } from "../../ui/use-submit.ts";
import { eventLabels } from "./webhook-labels.ts";
import classes from "./webhooks.module.css";

interface Props {
  /** The webhook to edit; null for a new one. */
  hook: WebhookInfo | null;
  onCreated: (made: { name: string; secret: string }) => void;
  onSaved: () => void;
}

/** Where a webhook sends, and what. The table of an existing one stays: its position is one of that table. */
export function WebhookForm({ hook, onCreated, onSaved }: Props) {
  const model = useModel();
  const { tables } = useAbilities();
  const readable = model.tables.filter(({ name }) => tables[name]?.read);
  const [table, setTable] = useState(hook?.table ?? readable[0]?.name ?? "");
  const [events, setEvents] = useState<WebhookEvent[]>(
    hook?.events ?? webhookEvents.filter((event) => event !== "transition"),
  );
  const [filter, setFilter] = useState<Filter | null>(hook?.filter ?? null);
  const [fields, setFields] = useState<string[]>(hook?.fields ?? []);
  const source = findTable(model, table);
  const { submit, busy, problem } = useSubmit(async ({ name = "", url = "" }) => {
    const chosen = { name, url, events, filter, fields: fields.length > 0 ? fields : null };
    if (!hook) return onCreated(await createWebhook({ ...chosen, table }));
    await changeWebhook(hook.id, chosen);
    toast(messages.saved({ name }));
    onSaved();
  });
  const changeTable = (next: string) => {
    setTable(next);
    setFilter(null);
    setFields([]);
  };
  return (
    <form onSubmit={submit}>
      <Stack gap="md">
        <FormProblem problem={problem} />
        <TextInput
          name="name"
          label={messages.name()}
          defaultValue={hook?.name ?? ""}
          required
          withAsterisk={false}
          maxLength={100}
          autoComplete="off"
          data-autofocus
        />
        <TextInput
          name="url"
          type="url"
          label={messages.url()}
          description={messages.urlText()}
          placeholder={messages.urlExample()}
          defaultValue={hook?.url ?? ""}
          required
          withAsterisk={false}
          maxLength={2_000}
          autoComplete="off"
        />
        <NativeSelect
          label={messages.table()}
          value={table}
          disabled={hook !== null}
          data={readable.map(({ name, label }) => ({ value: name, label }))}
          onChange={(event) => changeTable(event.currentTarget.value)}
        />
        <Checkbox.Group
          label={messages.events()}
          description={source?.workflow ? messages.transitionText() : undefined}
          value={events}
          onChange={(next) => setEvents(webhookEvents.filter((event) => next.includes(event)))}
        >
          <Group gap="lg" mt={8}>
            {webhookEvents
              .filter((event) => event !== "transition" || source?.workflow)
              .map((event) => (
                <Checkbox key={event} value={event} label={eventLabels[event]()} />
              ))}
          </Group>
        </Checkbox.Group>
        <fieldset className={classes.group}>
          <legend className={classes.part}>{messages.records()}</legend>
          <FilterBuilder
            key={table}
            fields={source?.fields ?? []}
            filter={filter}
            lookUp={pageLabels()}
            emptyHint={messages.allRecords()}
            onFilter={setFilter}
          />
          {filter && <p className={classes.hint}>{messages.recordsText()}</p>}
        </fieldset>
        <MultiSelect
          label={messages.fields()}
          description={messages.fieldsText()}
          value={fields}
          data={(source?.fields ?? []).map(({ name, label }) => ({ value: name, label }))}
          onChange={setFields}
          searchable
          clearable
        />
        <p className={classes.hint}>{messages.rightsText()}</p>
        <Group justify="flex-end">
          <Button type="submit" loading={busy} disabled={events.length === 0 || !source}>
            {hook ? messages.save() : messages.create()}
          </Button>
        </Group>
      </Stack>
    </form>
  );
}
