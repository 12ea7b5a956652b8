import {
  Button,
  Checkbox,
  Group,
  NativeSelect,
  PasswordInput,
  Stack,
  TextInput,
} from "@mantine/core";
import { IconPlus, IconTrash } from "@tabler/icons-react";
import { useState } from "react";
import { explainSignIn } from "../../../../shared/error-texts/sign-in-texts.ts";
import { invalidValue } from "../../../../shared/protocol/errors.ts";
import type { ProviderInfo } from "../../../../shared/protocol/identity-providers.ts";
import { issuerFault } from "../../../../shared/protocol/provider-address.ts";
import type { RoleInfo } from "../../../../shared/protocol/roles.ts";
import { signInMessages as messages } from "../../messages/en/sign-in.ts";
import { rest } from "../../transport/rest/rest.ts";
import { IconButton } from "../../ui/icon-button.tsx";
import { NameInput } from "../../ui/name-input.tsx";
import { noFill } from "../../ui/no-fill.ts";
import { SubmitForm } from "../../ui/submit-form.tsx";
import { Hint } from "../../ui/texts.ts";

interface Props {
  /** The provider to edit; null for a new one. */
  provider: ProviderInfo | null;
  roles: readonly RoleInfo[];
  onSaved: (provider: ProviderInfo) => void;
}

type Mapping = { group: string; role: string }[];

/** Where a provider is, whom it brings, and what role they have. */
export function ProviderForm({ provider, roles, onSaved }: Props) {
  const [creates, setCreates] = useState(provider?.createUsers != null);
  const [mapping, setMapping] = useState<Mapping | null>(provider?.groups?.roles ?? null);
  const choices = roles
    .filter(({ id }) => id !== "owner")
    .map(({ id, name }) => ({ value: id, label: name }));
  const send = async (typed: Record<string, string>) => {
    const options = optionsOf(typed, creates, mapping);
    const { name = "", issuer = "", clientId = "", clientSecret = "", id = "" } = typed;
    const fault = provider?.fromEnvironment ? null : issuerFault(issuer);
    if (fault) throw invalidValue("issuer", "address", explainSignIn(`provider.${fault}`));
    if (!provider) {
      const body = { id, name, issuer, clientId, clientSecret, ...options };
      onSaved(await rest("POST /identity-providers", { body }));
      return;
    }
    const client = { name, issuer, clientId, ...(clientSecret && { clientSecret }) };
    const body = provider.fromEnvironment ? options : { ...client, ...options };
    const params = { id: provider.id };
    onSaved(await rest("PATCH /identity-providers/{id}", { params, body }));
  };
  return (
    <SubmitForm send={send} action={provider ? messages.save() : messages.create()}>
      {!provider?.fromEnvironment && <ClientFields provider={provider} />}
      <Checkbox
        label={messages.createUsers()}
        checked={creates}
        onChange={(event) => setCreates(event.currentTarget.checked)}
      />
      {creates && (
        <Group grow align="flex-end">
          <NativeSelect
            name="createRole"
            label={messages.createRole()}
            data={choices}
            defaultValue={provider?.createUsers?.role ?? "viewer"}
          />
          <TextInput
            {...noFill}
            name="createDomains"
            label={messages.createDomains()}
            defaultValue={provider?.createUsers?.domains?.join(" ") ?? ""}
          />
        </Group>
      )}
      <Checkbox
        label={messages.useGroups()}
        checked={mapping !== null}
        onChange={(event) => setMapping(event.currentTarget.checked ? [] : null)}
      />
      {mapping && (
        <GroupFields
          provider={provider}
          mapping={mapping}
          choices={choices}
          onMapping={setMapping}
        />
      )}
      <TextInput
        {...noFill}
        name="scopes"
        label={messages.scopes()}
        description={messages.scopesText()}
        defaultValue={(provider?.scopes ?? ["openid", "profile", "email"]).join(" ")}
        required
      />
      <TextInput
        {...noFill}
        name="trustEmail"
        label={messages.trustDomains()}
        description={messages.trustDomainsText()}
        defaultValue={provider?.trustEmail?.domains.join(" ") ?? ""}
      />
      <TextInput
        {...noFill}
        name="factor"
        label={messages.factor()}
        description={messages.factorText()}
        defaultValue={factorText(provider)}
      />
    </SubmitForm>
  );
}

function ClientFields({ provider }: { provider: ProviderInfo | null }) {
  return (
    <>
      <NameInput
        label={messages.name()}
        description={messages.nameText()}
        defaultValue={provider?.name ?? ""}
        maxLength={60}
      />
      {!provider && (
        <TextInput
          {...noFill}
          name="id"
          label={messages.id()}
          description={messages.idText()}
          defaultValue="company"
          pattern="[a-z][a-z0-9\-]*"
          maxLength={40}
          required
        />
      )}
      <TextInput
        {...noFill}
        name="issuer"
        type="url"
        label={messages.issuer()}
        description={messages.issuerText()}
        defaultValue={provider?.issuer ?? ""}
        required
      />
      <TextInput
        {...noFill}
        name="clientId"
        label={messages.clientId()}
        defaultValue={provider?.clientId ?? ""}
        required
      />
      <PasswordInput
        {...noFill}
        name="clientSecret"
        label={messages.clientSecret()}
        description={provider ? messages.secretText() : undefined}
        required={!provider}
      />
    </>
  );
}

interface GroupProps {
  provider: ProviderInfo | null;
  mapping: Mapping;
  choices: { value: string; label: string }[];
  onMapping: (mapping: Mapping) => void;
}

function GroupFields({ provider, mapping, choices, onMapping }: GroupProps) {
  const change = (index: number, part: Partial<Mapping[number]>) =>
    onMapping(mapping.map((one, place) => (place === index ? { ...one, ...part } : one)));
  return (
    <Stack gap="sm">
      <TextInput
        {...noFill}
        name="claim"
        label={messages.claim()}
        defaultValue={provider?.groups?.claim ?? "groups"}
        required
      />
      <Hint>{messages.mappingText()}</Hint>
      {mapping.map(({ group, role }, index) => (
        // biome-ignore lint/suspicious/noArrayIndexKey: an entry is its place in the order.
        <Group key={index} gap="xs" wrap="nowrap">
          <TextInput
            {...noFill}
            aria-label={messages.groupOf({ n: index + 1 })}
            placeholder={messages.group()}
            value={group}
            onChange={(event) => change(index, { group: event.currentTarget.value })}
            flex={1}
            required
          />
          <NativeSelect
            aria-label={messages.roleOf({ n: index + 1 })}
            data={choices}
            value={role}
            onChange={(event) => change(index, { role: event.currentTarget.value })}
          />
          <IconButton
            label={messages.removeGroup({ n: index + 1 })}
            onClick={() => onMapping(mapping.filter((_, place) => place !== index))}
          >
            <IconTrash size={16} />
          </IconButton>
        </Group>
      ))}
      <Button
        variant="default"
        w="fit-content"
        leftSection={<IconPlus size={16} />}
        onClick={() => onMapping([...mapping, { group: "", role: choices[0]?.value ?? "viewer" }])}
      >
        {messages.addGroup()}
      </Button>
      <NativeSelect
        name="otherwise"
        label={messages.otherwise()}
        data={[{ value: "refuse", label: messages.refuse() }, ...choices]}
        defaultValue={provider?.groups?.otherwise ?? "refuse"}
      />
    </Stack>
  );
}

const listOf = (text: string | undefined) => (text ?? "").split(/[\s,]+/).filter(Boolean);

function factorText(provider: ProviderInfo | null): string {
  const { acr = [], amr = [] } = provider?.secondFactor ?? {};
  return [...new Set([...amr, ...acr])].join(" ");
}

function optionsOf(typed: Record<string, string>, creates: boolean, mapping: Mapping | null) {
  const trusted = listOf(typed.trustEmail);
  const domains = listOf(typed.createDomains);
  const factor = listOf(typed.factor);
  const { createRole: role = "viewer", claim = "groups", otherwise = "refuse" } = typed;
  return {
    scopes: listOf(typed.scopes),
    trustEmail: trusted.length > 0 ? { domains: trusted } : null,
    createUsers: creates ? { role, ...(domains.length > 0 && { domains }) } : null,
    groups: mapping && { claim, roles: mapping, otherwise },
    secondFactor: factor.length > 0 ? { amr: factor, acr: factor } : null,
  };
}
