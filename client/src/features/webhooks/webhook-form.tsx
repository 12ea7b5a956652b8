import { NativeSelect, TextInput } from "@mantine/core";
import { useState } from "react";
import { findTable, type Model } from "../../../../shared/model/model.ts";
import type { Abilities } from "../../../../shared/policy/abilities.ts";
import { type WebhookInfo, webhookEvents } from "../../../../shared/protocol/webhooks.ts";
import { webhooksMessages as messages } from "../../messages/en/webhooks.ts";
import { useAbilities, useModel } from "../../state/use-account.ts";
import { rest } from "../../transport/rest/rest.ts";
import { changedSettings } from "../../ui/changed-settings.ts";
import { NameInput } from "../../ui/name-input.tsx";
import { noFill } from "../../ui/no-fill.ts";
import { SubmitForm } from "../../ui/submit-form.tsx";
import { Hint } from "../../ui/texts.ts";
import { toast } from "../../ui/toast.tsx";
import { ContentFields, type WebhookContent } from "./content-fields.tsx";

interface Props {
  /** The webhook to edit; null for a new one. */
  hook: WebhookInfo | null;
  onCreated: (made: { name: string; secret: string }) => void;
  onSaved: () => void;
  onClose: () => void;
}

const readableTables = (model: Model, { tables }: Abilities) =>
  model.tables.filter(({ name }) => tables[name]?.read);

function contentOf(hook: WebhookInfo | null): WebhookContent {
  return {
    events: hook?.events ?? webhookEvents.filter((event) => event !== "transition"),
    filter: hook?.filter ?? null,
    fields: hook?.fields ?? [],
  };
}

/** Where a webhook sends, and what. The table of an existing one stays: its position is one of that table. */
export function WebhookForm({ hook, onCreated, onSaved, onClose }: Props) {
  const model = useModel();
  const tables = readableTables(model, useAbilities());
  const [table, setTable] = useState(hook?.table ?? tables[0]?.name ?? "");
  const [content, setContent] = useState(() => contentOf(hook));
  const source = findTable(model, table);
  const send = async ({ name = "", url = "" }: Record<string, string>) => {
    const fields = content.fields.length > 0 ? content.fields : null;
    const settings = { name, url, ...content, fields };
    if (!hook) return onCreated(await rest("POST /webhooks", { body: { ...settings, table } }));
    const body = changedSettings(hook, settings);
    await rest("PATCH /webhooks/{id}", { params: { id: hook.id }, body });
    toast(messages.saved({ name }));
    onSaved();
  };
  const changeTable = (next: string) => {
    setTable(next);
    setContent({ ...contentOf(null), events: content.events });
  };
  return (
    <SubmitForm
      send={send}
      // The secret of a new one takes the place of the form.
      onDone={hook ? onClose : undefined}
      action={hook ? messages.save() : messages.create()}
      button={{ disabled: content.events.length === 0 || !source }}
    >
      <AddressFields hook={hook} />
      <NativeSelect
        label={messages.table()}
        value={table}
        disabled={hook !== null}
        data={tables.map(({ name, label }) => ({ value: name, label }))}
        onChange={(event) => changeTable(event.currentTarget.value)}
      />
      {source && (
        <ContentFields key={table} table={source} content={content} onContent={setContent} />
      )}
      <Hint>{messages.rightsText()}</Hint>
    </SubmitForm>
  );
}

function AddressFields({ hook }: { hook: WebhookInfo | null }) {
  return (
    <>
      <NameInput label={messages.name()} defaultValue={hook?.name ?? ""} maxLength={100} />
      <TextInput
        {...noFill}
        name="url"
        type="url"
        label={messages.url()}
        description={messages.urlText()}
        placeholder={messages.urlExample()}
        defaultValue={hook?.url ?? ""}
        required
        maxLength={2_000}
      />
    </>
  );
}
