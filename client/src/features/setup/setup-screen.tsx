import { Code, Group, Radio, Stack, TextInput } from "@mantine/core";
import { useState } from "react";
import { useLocationProperty } from "wouter/use-browser-location";
import { ownZone } from "../../../../shared/filter/zone.ts";
import type { SetupCall } from "../../../../shared/protocol/session.ts";
import { NewPasswordInput } from "../../access/new-password-input.tsx";
import { tokenOfAddress } from "../../access/token-of-address.ts";
import { setupMessages as messages } from "../../messages/en/setup.ts";
import { setUp } from "../../sync/calls/account.ts";
import { SignInLayout } from "../../ui/sign-in-layout.tsx";
import { SubmitForm } from "../../ui/submit-form.tsx";
import { Hint } from "../../ui/texts.ts";
import { useTitle } from "../../ui/use-title.ts";
import classes from "./template-cards.module.css";
import { EmptyPreview, OrdersStockPreview, ServiceDeskPreview } from "./template-previews.tsx";

/** First run: creates the owner and the first tables. Requires the printed set-up link. */
export function SetupScreen() {
  useTitle(messages.pageTitle());
  const token = useLocationProperty(() => tokenOfAddress(location));
  return (
    <SignInLayout title={messages.title()} wide lead={token ? messages.lead() : messages.noOwner()}>
      {token ? <SetupForm key={token} token={token} /> : <SetupLinkHelp />}
    </SignInLayout>
  );
}

function SetupForm({ token }: { token: string }) {
  const [template, setTemplate] = useState<SetupCall["template"]>("service-desk");
  const send = ({ email = "", name = "", password = "" }: Record<string, string>) =>
    setUp({ token, email, name, password, template, zone: ownZone() });
  const field = { size: "md", required: true } as const;
  return (
    <SubmitForm send={send} action={messages.create()} button={{ size: "md" }}>
      <TextInput {...field} name="name" label={messages.yourName()} autoComplete="name" autoFocus />
      <TextInput
        {...field}
        name="email"
        type="email"
        label={messages.email()}
        autoComplete="username"
      />
      <NewPasswordInput />
      <TemplateCards value={template} onChange={setTemplate} />
    </SubmitForm>
  );
}

const exampleLink = () => `${location.origin}/setup#…`;

function SetupLinkHelp() {
  return (
    <Stack gap={14}>
      <p>{messages.linkHelp()}</p>
      <Code block>{exampleLink()}</Code>
      <p>{messages.linkLost()}</p>
    </Stack>
  );
}

type Template = SetupCall["template"];

const templates = [
  {
    value: "service-desk",
    label: messages.serviceDesk,
    text: messages.serviceDeskText,
    Preview: ServiceDeskPreview,
  },
  {
    value: "orders-stock",
    label: messages.orders,
    text: messages.ordersText,
    Preview: OrdersStockPreview,
  },
  {
    value: "empty",
    label: messages.empty,
    text: messages.emptyText,
    Preview: EmptyPreview,
  },
] as const;

/** The templates to start with, as cards with a small picture each. */
function TemplateCards(props: { value: Template; onChange: (value: Template) => void }) {
  return (
    <Radio.Group
      label={messages.startWith()}
      size="md"
      value={props.value}
      onChange={(value) => props.onChange(value as Template)}
    >
      <div className={classes.cards}>
        {templates.map(({ value, label, text, Preview }) => (
          <Radio.Card key={value} value={value} className={classes.card} aria-label={label()}>
            <Preview />
            <Stack component="span" gap={4} p={12}>
              <Group component="span" gap={8} wrap="nowrap" fw={600}>
                <Radio.Indicator size="xs" />
                {label()}
              </Group>
              <Hint span lh={1.45}>
                {text()}
              </Hint>
            </Stack>
          </Radio.Card>
        ))}
      </div>
    </Radio.Group>
  );
}
