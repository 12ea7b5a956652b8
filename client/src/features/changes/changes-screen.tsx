import { NativeSelect } from "@mantine/core";
import { IconFileDiff } from "@tabler/icons-react";
import { useState } from "react";
import { Link } from "wouter";
import type { ChangeSetInfo } from "../../../../shared/protocol/change-sets.ts";
import { changeSetMessages as messages } from "../../messages/en/change-sets.ts";
import { changeSetAddress } from "../../records/change-sets/change-set-address.ts";
import { originLabel, stateLabel } from "../../records/change-sets/labels.ts";
import { useSetTitle } from "../../records/change-sets/use-set-title.ts";
import { useMe } from "../../state/use-account.ts";
import { rest } from "../../transport/rest/rest.ts";
import { Ago } from "../../ui/ago.tsx";
import { authorName } from "../../ui/author-name.ts";
import cells from "../../ui/cells.module.css";
import filters from "../../ui/filters.module.css";
import { Notice } from "../../ui/notice.tsx";
import { formatCount } from "../../ui/numbers.ts";
import { Page } from "../../ui/page.tsx";
import { narrowPart, ResourceList } from "../../ui/resource-list.tsx";
import { ScreenSkeleton } from "../../ui/screen-skeleton.tsx";
import { Hint } from "../../ui/texts.ts";
import { useRemote } from "../../ui/use-remote.ts";
import { useTitle } from "../../ui/use-title.ts";

type Shown = "mine" | "all";

/** The newest change sets: one's own, and those that changed what one may read. */
export function ChangesScreen() {
  useTitle(messages.title());
  const me = useMe();
  const [shown, setShown] = useState<Shown>("all");
  const query = { by: shown === "mine" ? me.id : undefined };
  const { data, problem } = useRemote(() => rest("GET /change-sets", { query }), {
    on: ["changeSets"],
    key: shown,
  });
  return (
    <Page title={messages.title()} lead={messages.lead()} problem={problem}>
      {!(shown === "all" && data?.items.length === 0) && (
        <div className={filters.filters}>
          <NativeSelect
            label={messages.show()}
            value={shown}
            data={[
              { value: "all", label: messages.all() },
              { value: "mine", label: messages.mine() },
            ]}
            onChange={(event) => setShown(event.currentTarget.value as Shown)}
          />
        </div>
      )}
      {data ? <Sets sets={data.items} /> : !problem && <ScreenSkeleton />}
    </Page>
  );
}

function Sets({ sets }: { sets: readonly ChangeSetInfo[] }) {
  if (sets.length === 0) {
    return <Notice icon={IconFileDiff} title={messages.none()} text={messages.noneText()} />;
  }
  return (
    <ResourceList
      label={messages.title()}
      items={sets}
      keyOf={({ id }) => id}
      columns={[
        { name: messages.name(), cell: (set) => <NameCell set={set} /> },
        { name: messages.state(), cell: ({ state }) => stateLabel(state) },
        {
          name: messages.changes(),
          number: true,
          cell: ({ counts }) => formatCount(counts.create + counts.update + counts.delete),
        },
        { name: messages.author(), wide: true, cell: ({ by }) => authorName(by) },
        { name: messages.updated(), wide: true, cell: ({ updated }) => <Ago at={updated} /> },
      ]}
    />
  );
}

function NameCell({ set }: { set: ChangeSetInfo }) {
  const { id, origin, by, updated } = set;
  const title = useSetTitle(set);
  return (
    <div className={cells.lines}>
      <Link className={cells.title} dir="auto" href={changeSetAddress(id)}>
        {title}
      </Link>
      <Hint span fz="xs">
        {originLabel(origin)}
        <span className={narrowPart}>
          {` · ${authorName(by)} · `}
          <Ago at={updated} />
        </span>
      </Hint>
    </div>
  );
}
