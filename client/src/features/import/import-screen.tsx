import { Button } from "@mantine/core";
import { IconLock } from "@tabler/icons-react";
import { useEffect } from "react";
import { Link } from "wouter";
import type { Table } from "../../../../shared/model/model.ts";
import type { TableAbilities } from "../../../../shared/policy/abilities.ts";
import { tableAddress } from "../../../../shared/record-address.ts";
import { importMessages as messages } from "../../messages/en/import.ts";
import { FileFacts } from "../../records/file-import/file-facts.tsx";
import { FilePicker } from "../../records/file-import/file-picker.tsx";
import { useImportFile } from "../../records/file-import/use-import-file.ts";
import { mayImport } from "../../records/may-import.ts";
import { hasPendingFile, takePendingFile } from "../../state/pending-import.ts";
import { useAbilities, useTable } from "../../state/use-account.ts";
import { FormProblem } from "../../ui/form-problem.tsx";
import { Notice } from "../../ui/notice.tsx";
import { Page } from "../../ui/page.tsx";
import { ScreenSkeleton } from "../../ui/screen-skeleton.tsx";
import { useTitle } from "../../ui/use-title.ts";
import { fillableFields } from "./column-mapping.ts";
import { ImportForm } from "./import-form.tsx";

/** Imports a file into a table: choose it, check how it is read, and preview what it changes. */
export function ImportScreen({ table: name }: { table: string }) {
  const table = useTable(name);
  const abilities = useAbilities().tables[name];
  const title = messages.title({ table: table?.label ?? name });
  useTitle(title);
  if (!table && hasPendingFile(name)) return <ScreenSkeleton />;
  if (!table || !abilities || !mayImport(abilities)) return <NotAllowed />;
  return (
    <Page
      title={title}
      lead={messages.lead()}
      actions={
        <Button component={Link} href={tableAddress(name)} variant="default">
          {messages.back({ table: table.label })}
        </Button>
      }
    >
      <FileImport table={table} abilities={abilities} />
    </Page>
  );
}

function FileImport({ table, abilities }: { table: Table; abilities: TableAbilities }) {
  const fields = fillableFields(table, abilities.fields);
  const names = fields.flatMap(({ name, label }) => [name, label]);
  const file = useImportFile(names);
  const { choose } = file;
  // biome-ignore lint/correctness/useExhaustiveDependencies: a waiting file is taken once.
  useEffect(() => {
    const waiting = takePendingFile(table.name);
    if (waiting) void choose(waiting.file, { nullText: waiting.nullText });
  }, []);
  if (!file.open) {
    return (
      <>
        <FormProblem problem={file.problem} />
        <FilePicker onFile={(chosen) => void file.choose(chosen)} />
      </>
    );
  }
  return (
    <>
      <FileFacts file={file.open.sample.file} onOther={file.close} />
      <ImportForm
        table={table}
        fields={fields}
        canCreate={abilities.create}
        open={file.open}
        onFormat={file.correct}
      />
    </>
  );
}

function NotAllowed() {
  return (
    <Notice icon={IconLock} title={messages.notAllowed()} text={messages.notAllowedText()}>
      <Button component={Link} href="/" variant="default">
        {messages.home()}
      </Button>
    </Notice>
  );
}
