import { Button, Group, NativeSelect, Stack, UnstyledButton } from "@mantine/core";
import { useState } from "react";
import { Link, useLocation } from "wouter";
import type { ModelDocument } from "../../../../../shared/protocol/model.ts";
import { modelMessages as messages } from "../../../messages/en/model.ts";
import { useLabelUpdates } from "../../../records/fields/use-label-updates.ts";
import { rest } from "../../../transport/rest/rest.ts";
import { formatMoment } from "../../../ui/numbers.ts";
import { Page } from "../../../ui/page.tsx";
import { Tag } from "../../../ui/tag.tsx";
import { Hint } from "../../../ui/texts.ts";
import { toast } from "../../../ui/toast.tsx";
import { Unloaded } from "../../../ui/unloaded.tsx";
import { useRemote } from "../../../ui/use-remote.ts";
import { MODEL } from "../addresses.ts";
import { withIds } from "../document/edit-model.ts";
import { AuthorName, authorName } from "../draft/author-name.tsx";
import { useDraft } from "../draft/use-draft.tsx";
import { describeChanges } from "../labels/describe-changes.ts";
import { ChangeList } from "../parts/change-list.tsx";
import { VersionView } from "./version-view.tsx";
import classes from "./versions.module.css";

const listVersions = async () => (await rest("GET /model/versions")).items;

/** All published versions of the model: author, content, and differences between any two. */
export function VersionsScreen() {
  const published = usePublishedVersion();
  const { data, problem, reload } = useRemote(listVersions, { key: String(published) });
  useLabelUpdates();
  const [chosen, setChosen] = useState<{ from?: number; to?: number }>({});
  if (!data) return <Unloaded problem={problem} reload={reload} />;
  const to = chosen.to ?? data[0]?.version ?? published;
  const from = chosen.from ?? data.find(({ version }) => version < to)?.version ?? to;
  const choices = data.map(({ version, by, at }) => ({
    value: String(version),
    label: messages.versionOption({ version, user: authorName(by), time: formatMoment(at) }),
  }));
  return (
    <Page
      title={messages.versionsTitle()}
      lead={messages.versionsLead()}
      actions={
        <Button component={Link} href={MODEL} variant="default">
          {messages.backToBuilder()}
        </Button>
      }
    >
      <div className={classes.columns}>
        <ol className={classes.list} aria-label={messages.versions()}>
          {data.map(({ version, by, at }) => (
            <li key={version} className={classes.version} data-open={version === to || undefined}>
              <UnstyledButton
                className={classes.choose}
                aria-pressed={version === to}
                onClick={() => setChosen({ to: version })}
              >
                <Group component="span" gap={8} wrap="nowrap" fw={600}>
                  {messages.version({ version })}
                  {version === published && <Tag tone="neutral">{messages.current()}</Tag>}
                </Group>
                <Hint span>
                  <AuthorName by={by} />, {formatMoment(at)}
                </Hint>
              </UnstyledButton>
            </li>
          ))}
        </ol>
        <Stack gap={16} miw={0}>
          {data.length > 1 && (
            <div className={classes.pair}>
              <NativeSelect
                label={messages.changedFrom()}
                value={String(from)}
                data={choices}
                onChange={(event) => setChosen({ to, from: Number(event.currentTarget.value) })}
              />
              <NativeSelect
                label={messages.changedTo()}
                value={String(to)}
                data={choices}
                onChange={(event) => setChosen({ from, to: Number(event.currentTarget.value) })}
              />
            </div>
          )}
          <VersionComparison key={`${from} ${to}`} from={from} to={to} />
        </Stack>
      </div>
    </Page>
  );
}

/** The published version, which may be newer than the one that the draft is based on. */
function usePublishedVersion(): number {
  const { base, newer } = useDraft();
  return newer?.version ?? base.version;
}

function VersionComparison({ from, to }: { from: number; to: number }) {
  const read = (version: number) => rest("GET /model/versions/{version}", { params: { version } });
  const { data, problem, reload } = useRemote(() => Promise.all([read(from), read(to)]));
  if (!data) return <Unloaded problem={problem} reload={reload} />;
  const [earlier, later] = data.map(({ document }) => withIds(document));
  if (!earlier || !later) return null;
  const changes = describeChanges(earlier, later);
  return (
    <>
      {from !== to && (
        <Stack aria-label={messages.changes()} component="section" gap={16} miw={0}>
          {changes.length === 0 && <Hint>{messages.noDifference()}</Hint>}
          <ChangeList changes={changes} between={[earlier, later]} />
        </Stack>
      )}
      <RestoreVersion version={data[1]} />
      <VersionView model={later} />
    </>
  );
}

/** Copies an old version into the draft. It takes effect only when it is published. */
function RestoreVersion({ version }: { version: ModelDocument }) {
  const { edit, newer, store } = useDraft();
  const published = usePublishedVersion();
  const [, navigate] = useLocation();
  if (version.version === published) return null;
  const restore = () => {
    // The old version replaces the published one, which the draft may not be based on yet.
    const takeMine = newer ? store.takeTheirs() : () => {};
    const undo = edit(({ version: now }) => ({ ...withIds(version.document), version: now }));
    navigate(MODEL);
    toast(messages.restored({ version: version.version }), () => {
      undo();
      takeMine();
    });
  };
  return (
    <div>
      <Button variant="default" onClick={restore}>
        {messages.restore({ version: version.version })}
      </Button>
    </div>
  );
}
