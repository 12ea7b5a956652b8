import { IconArrowUpRight, IconExternalLink, IconMail, IconPhone } from "@tabler/icons-react";
import type { Json } from "../../../../../shared/filter/filter.ts";
import type { Field } from "../../../../../shared/model/model.ts";
import { recordMessages as messages } from "../../../messages/en/record.ts";
import { useLabelUpdates } from "../../../records/fields/use-label-updates.ts";
import { OutsideLink } from "../../../records/linked-text.tsx";
import { outsideAddress } from "../../../records/outside-address.ts";
import { useAbilities } from "../../../state/use-account.ts";
import { pageLabels } from "../../../sync/page/page-labels.ts";
import classes from "./linked.module.css";
import { RecordLink } from "./record-link.tsx";

/** Opens what a value points to: the linked record, a web page, a mail or a call. Nothing for other values. */
export function ValueLink({ field, value }: { field: Field; value: Json }) {
  const { tables } = useAbilities();
  useLabelUpdates();
  if (typeof value !== "string" || value === "") return null;
  if (field.type === "link") {
    const { target = "" } = field;
    if (!tables[target]?.read) return null;
    const name = pageLabels().labelOf(field, value) ?? value;
    return (
      <RecordLink
        table={target}
        record={value}
        className={classes.open}
        label={messages.openLinked({ record: name })}
      >
        <IconArrowUpRight size={15} stroke={1.8} aria-hidden="true" />
      </RecordLink>
    );
  }
  const href = outsideAddress(field.type, value);
  if (href === null) return null;
  const { Icon, label } = outside[href.split(":")[0] ?? ""] ?? outside.https;
  return (
    <OutsideLink href={href} className={classes.open} label={label({ value })}>
      <Icon size={15} stroke={1.8} aria-hidden="true" />
    </OutsideLink>
  );
}

const web = { Icon: IconExternalLink, label: messages.openAddress };
const outside = {
  https: web,
  http: web,
  mailto: { Icon: IconMail, label: messages.writeTo },
  tel: { Icon: IconPhone, label: messages.call },
} as Record<string, typeof web> & { https: typeof web };
