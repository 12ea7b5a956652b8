import { Anchor, UnstyledButton } from "@mantine/core";
import { IconHistory } from "@tabler/icons-react";
import type { Field } from "../../../../../shared/model/model.ts";
import { recordMessages as messages } from "../../../messages/en/record.ts";
import { richText } from "../../../messages/rich-text.tsx";
import { formatValue } from "../../../records/fields/format-value.ts";
import { ValueMark } from "../../../records/fields/value-mark.tsx";
import { pageLabels } from "../../../sync/page/page-labels.ts";
import { formatMoment, formatRecent } from "../../../ui/numbers.ts";
import { TitledPopover } from "../../../ui/titled-popover.tsx";
import type { RecordFieldProps } from "../record-field.tsx";
import classes from "./field-blame.module.css";
import { type FieldChange, fieldChanges } from "./field-changes.ts";
import { authorLabel } from "./history-labels.ts";
import { RestoreValue } from "./restore-value.tsx";
import type { HistoryState } from "./use-history.ts";

/** The rest is in the history of the record. */
const LISTED = 6;

interface Props extends RecordFieldProps {
  /** Of the line, which describes the input. */
  id: string;
  history: HistoryState;
  opened: boolean;
  onOpened(opened: boolean): void;
  /** Shows the whole history. */
  onShowAll(): void;
}

/** Who changed a field last, when, and from what; its earlier values on request. */
export function FieldBlame(props: Props) {
  const { id, field, history, opened, onOpened } = props;
  const changes = history.kind === "shown" ? fieldChanges(history.entries, field.name) : [];
  const [last] = changes;
  return (
    <TitledPopover
      opened={opened}
      onOpened={onOpened}
      title={messages.fieldHistory({ field: field.label })}
      aria-label={messages.fieldHistory({ field: field.label })}
      tabIndex={-1}
      target={
        <UnstyledButton
          tabIndex={-1}
          className={classes.blame}
          data-known={last ? "" : undefined}
          aria-expanded={opened}
          title={last ? blameText(field, last) : messages.fieldHistory({ field: field.label })}
          // The focus stays in the field, and the button in its place, until the click has reached it.
          onMouseDown={(event) => event.preventDefault()}
          onClick={() => onOpened(!opened)}
        >
          <IconHistory size={14} stroke={1.8} aria-hidden="true" />
          <span id={id} className={classes.line} dir="auto">
            {last ? blameText(field, last) : messages.history()}
          </span>
        </UnstyledButton>
      }
    >
      <EarlierValues {...props} changes={changes} />
    </TitledPopover>
  );
}

function EarlierValues({ changes, onOpened, onShowAll, history, ...of }: EarlierProps) {
  const { field } = of;
  const note =
    history.kind === "failed"
      ? history.message
      : history.kind === "loading"
        ? messages.loadingHistory()
        : messages.noFieldHistory();
  return (
    <div className={classes.list}>
      {changes.length === 0 && <p>{note}</p>}
      <ol>
        {changes.slice(0, LISTED).map(({ entry, before, isErased }) => (
          <li key={entry.seq}>
            <span className={classes.by}>
              <strong dir="auto">{authorLabel(entry)}</strong>
              <time dateTime={entry.at} title={formatMoment(entry.at)}>
                {formatRecent(entry.at)}
              </time>
            </span>
            {entry.kind === "insert" ? (
              <span className={classes.was}>{messages.setWhenCreated()}</span>
            ) : (
              <span className={classes.was}>
                {richText(messages.was(), {
                  value: () => <ValueMark field={field} value={before} isErased={isErased} />,
                })}
                {!isErased && <RestoreValue {...of} value={before} />}
              </span>
            )}
          </li>
        ))}
      </ol>
      <Anchor
        component="button"
        type="button"
        size="sm"
        data-autofocus
        onClick={() => {
          onOpened(false);
          onShowAll();
        }}
      >
        {messages.showHistory()}
      </Anchor>
    </div>
  );
}

interface EarlierProps extends Props {
  changes: readonly FieldChange[];
}

/** "Kofi, 10:42, was New" */
function blameText(field: Field, { entry, before, isErased }: FieldChange): string {
  const author = authorLabel(entry);
  const time = formatRecent(entry.at);
  if (entry.kind === "insert") return messages.blameCreated({ author, time });
  if (isErased) return messages.blame({ author, time });
  const labels = pageLabels();
  const value = formatValue(field, before, (of, id) => labels.labelOf(of, id));
  return messages.blameWas({ author, time, value: value || messages.emptyValue() });
}
