import { Button, Code, CopyButton, Stack, Text } from "@mantine/core";
import type { Icon } from "@tabler/icons-react";
import {
  IconFileSpreadsheet,
  IconPencil,
  IconPlugConnected,
  IconTemplate,
} from "@tabler/icons-react";
import { type ReactNode, useEffect, useState } from "react";
import { Link, useLocation } from "wouter";
import type { ExampleName } from "../../../../../shared/protocol/session.ts";
import { tableAddress } from "../../../../../shared/record-address.ts";
import { NextSteps } from "../../../access/next-steps.tsx";
import { firstMinuteMessages as messages } from "../../../messages/en/first-minute.ts";
import { setupMessages } from "../../../messages/en/setup.ts";
import { uiMessages } from "../../../messages/en/ui.ts";
import { FilePicker } from "../../../records/file-import/file-picker.tsx";
import { useAbilities, useMe, useModel } from "../../../state/use-account.ts";
import { rest } from "../../../transport/rest/rest.ts";
import { Page } from "../../../ui/page.tsx";
import { Hint } from "../../../ui/texts.ts";
import { useBusy } from "../../../ui/use-action.ts";
import { useTitle } from "../../../ui/use-title.ts";
import { DraftProvider } from "../draft/use-draft.tsx";
import classes from "./first-minute.module.css";
import { NewTableForm, TableOfFile } from "./structure-sheets.tsx";

/** The first screen where there is no table yet, for users who may make one: one answer leads into its cells. */
export function FirstMinute() {
  useTitle(messages.title());
  const { name } = useMe();
  const { rights } = useAbilities();
  const [file, setFile] = useState<File | null>(null);
  return (
    <Page title={messages.welcome({ name: name.split(" ")[0] ?? name })} lead={messages.lead()}>
      <div className={classes.cards}>
        <Card icon={IconPencil} title={messages.scratch()}>
          <DraftProvider>
            <NewTableForm />
          </DraftProvider>
        </Card>
        <Card icon={IconFileSpreadsheet} title={messages.file()}>
          <Hint>{messages.fileText()}</Hint>
          <FilePicker onFile={setFile} />
          {file && (
            <DraftProvider>
              <TableOfFile file={file} onClose={() => setFile(null)} />
            </DraftProvider>
          )}
        </Card>
        <Card icon={IconTemplate} title={messages.example()}>
          <Hint>{messages.exampleText()}</Hint>
          <Examples />
        </Card>
        <Card icon={IconPlugConnected} title={messages.programs()}>
          <Hint>{messages.programsText()}</Hint>
          <Address />
          <Text component="p" fz="sm">
            <a href="/api/docs" target="_blank" rel="noreferrer">
              {messages.apiDocs()}
            </a>
            {rights.includes("tokens") && (
              <>
                {" · "}
                <Link href="/admin/tokens">{messages.token()}</Link>
              </>
            )}
          </Text>
        </Card>
      </div>
      <NextSteps />
    </Page>
  );
}

const examples = [
  ["service-desk", setupMessages.serviceDesk],
  ["orders-stock", setupMessages.orders],
] as const;

/** What set-up offers too. Its first table is opened once the page knows it. */
function Examples() {
  const { run, isBusy } = useBusy();
  const [chosen, setChosen] = useState<string | null>(null);
  const [isPublished, setPublished] = useState(false);
  const [first] = useModel().tables;
  const [, navigate] = useLocation();
  useEffect(() => {
    if (isPublished && first) navigate(tableAddress(first.name));
  }, [isPublished, first, navigate]);
  const use = (example: ExampleName) => {
    setChosen(example);
    void run(async () => {
      await rest("POST /model/example", { body: { example } });
      setPublished(true);
    });
  };
  return (
    <Stack gap={8} align="flex-start">
      {examples.map(([name, label]) => (
        <Button
          key={name}
          variant="default"
          disabled={isBusy && name !== chosen}
          loading={isBusy && name === chosen}
          onClick={() => use(name)}
        >
          {label()}
        </Button>
      ))}
    </Stack>
  );
}

/** The address of the API, to be copied. */
function Address() {
  const address = `${location.origin}/api/v1`;
  return (
    <Stack gap={8} align="flex-start">
      <Code block w="100%">
        {address}
      </Code>
      <CopyButton value={address}>
        {({ copied, copy }) => (
          <Button variant="default" size="xs" onClick={copy}>
            {copied ? uiMessages.copied() : messages.copy()}
          </Button>
        )}
      </CopyButton>
    </Stack>
  );
}

function Card({
  icon: Shape,
  title,
  children,
}: {
  icon: Icon;
  title: string;
  children: ReactNode;
}) {
  return (
    <section className={classes.card}>
      <h2>
        <Shape size={20} stroke={1.6} aria-hidden="true" />
        {title}
      </h2>
      {children}
    </section>
  );
}
