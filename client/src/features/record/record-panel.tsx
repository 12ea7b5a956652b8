import { Button, Loader } from "@mantine/core";
import { IconFileOff, IconPlugConnectedX } from "@tabler/icons-react";
import { useCallback, useEffect, useRef } from "react";
import { useLocation } from "wouter";
import { recordMessages as messages } from "../../messages/en/record.ts";
import { useAbilities, useTable } from "../../state/use-account.ts";
import { neighbourOf } from "../../sync/page/front-window.ts";
import { pageCore } from "../../sync/page/page-core.ts";
import { Notice } from "../../ui/notice.tsx";
import { recordAddress, tableAddress } from "../../ui/record-address.ts";
import { PanelHeader } from "./panel-header.tsx";
import classes from "./record.module.css";
import { RecordBody } from "./record-body.tsx";
import { useOpenRecord } from "./use-open-record.ts";

interface Props {
  table: string;
  record: string;
  /** The address of another record, or of none; by default beside the grid. */
  addressOf?: (record: string | null) => string;
}

/**
 * One record beside its table, live: form and history. It takes the focus when it opens, returns it to the grid when it
 * closes, and reports the user's presence on the record.
 */
export function RecordPanel({ table: name, record: id, addressOf }: Props) {
  const table = useTable(name);
  const abilities = useAbilities().tables[name];
  const state = useOpenRecord(name, id);
  const [, navigate] = useLocation();
  const panel = useRef<HTMLElement>(null);
  const navigateTo = useCallback(
    (to: string | null) => {
      const address = to === null ? tableAddress(name) : recordAddress(name, to);
      navigate(addressOf?.(to) ?? `${address}${location.search}`);
    },
    [name, navigate, addressOf],
  );
  useEffect(() => {
    pageCore().presence.set(name, { record: id, mode: "viewing" });
    panel.current?.focus({ preventScroll: true });
  }, [name, id]);
  if (!table || !abilities?.read) return null;
  const record = state.kind === "shown" ? state.record : null;
  return (
    <aside
      ref={panel}
      className={classes.panel}
      aria-label={`${table.recordLabel} ${id}`}
      tabIndex={-1}
      onKeyDown={(event) => {
        if (event.key === "Escape" && !event.defaultPrevented) navigateTo(null);
      }}
    >
      <PanelHeader
        table={table}
        id={id}
        record={record}
        onStep={(step) => {
          const next = neighbourOf(name, id, step);
          if (next !== null) navigateTo(next);
        }}
        onClose={() => navigateTo(null)}
      />
      {state.kind === "loading" && (
        <div className={classes.waiting}>
          <Loader size="sm" aria-label={messages.loading()} />
        </div>
      )}
      {state.kind === "missing" && (
        <Notice
          icon={<IconFileOff size={26} stroke={1.5} />}
          title={messages.notFound()}
          text={messages.notFoundText({ id })}
        >
          <Button variant="light" onClick={() => navigateTo(null)}>
            {messages.backTo({ table: table.label.toLowerCase() })}
          </Button>
        </Notice>
      )}
      {state.kind === "failed" && (
        <Notice
          icon={<IconPlugConnectedX size={26} stroke={1.5} />}
          title={messages.notLoaded()}
          text={state.message}
        />
      )}
      {record && (
        <RecordBody
          key={`${name} ${record.id}`}
          table={table}
          abilities={abilities}
          record={record}
        />
      )}
    </aside>
  );
}
