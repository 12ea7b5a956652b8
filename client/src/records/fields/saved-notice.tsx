import { IconUserEdit } from "@tabler/icons-react";
import { useEffect, useState } from "react";
import type { Json } from "../../../../shared/filter/filter.ts";
import type { Field } from "../../../../shared/model/model.ts";
import { fieldMessages as messages } from "../../messages/en/fields.ts";
import { valueMessages } from "../../messages/en/values.ts";
import { richText } from "../../messages/rich-text.tsx";
import type { RecordView } from "../../state/record-view.ts";
import { useLatest } from "../../ui/use-latest.ts";
import type { FieldEdit } from "./field-edit.ts";
import classes from "./fields.module.css";
import { ValueMark } from "./value-mark.tsx";

/** A change that has just arrived in a field. */
interface Flash {
  record: string;
  field: string;
  mine: boolean;
  by: { name?: string };
}

/** What it needs of a table that the page follows. (This folder may not import the core.) */
interface OpenTable {
  get(record: string): RecordView | undefined;
  onTouched(callback: (touched: { flashes: readonly Flash[] }) => void): () => void;
  close(): void;
}

interface Props {
  openTable(): OpenTable;
  record: string;
  field: Field;
  /** The edit under way, if there is one. */
  currentEdit(): FieldEdit | null;
  className?: string | undefined;
}

/** Says below an input who has saved the same field since the edit in it began. */
export function SavedNotice({ openTable, record, field, currentEdit, className }: Props) {
  const [saved, setSaved] = useState<{ name: string; value: Json; during: FieldEdit } | null>(null);
  const latest = useLatest({ openTable, currentEdit });
  const { name } = field;
  useEffect(() => {
    const table = latest.current.openTable();
    const stop = table.onTouched(({ flashes }) => {
      const isHere = (one: Flash) => one.record === record && one.field === name && !one.mine;
      const flash = flashes.findLast(isHere);
      const view = flash && table.get(record);
      const during = latest.current.currentEdit();
      if (!flash || !view || !during) return;
      const value = (view.confirmed ?? view.values)[name] ?? null;
      setSaved({ name: flash.by.name || valueMessages.someoneElse(), value, during });
    });
    return () => {
      stop();
      table.close();
    };
  }, [record, name]);
  if (!saved || saved.during !== currentEdit()) return null;
  return (
    <span className={className}>
      <span className={classes.saved} role="status">
        <IconUserEdit size={14} aria-hidden="true" />
        <span>
          {richText(messages.justSaved({ author: saved.name }), {
            value: () => (
              <strong>
                <ValueMark field={field} value={saved.value} />
              </strong>
            ),
          })}
        </span>
      </span>
    </span>
  );
}
