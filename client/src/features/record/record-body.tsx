import { Button, Tabs } from "@mantine/core";
import { IconPlus } from "@tabler/icons-react";
import {
  memo,
  type ReactNode,
  type RefObject,
  useEffect,
  useId,
  useLayoutEffect,
  useRef,
  useState,
} from "react";
import { useLocationProperty } from "wouter/use-browser-location";
import { displayText } from "../../../../shared/model/display-text.ts";
import type { Field, Table } from "../../../../shared/model/model.ts";
import { isReadOnly } from "../../../../shared/model/recorded.ts";
import { governedBy } from "../../../../shared/model/state-of.ts";
import { workOf } from "../../../../shared/model/work-of.ts";
import type { TableAbilities } from "../../../../shared/policy/abilities.ts";
import { commentMessages } from "../../messages/en/comments.ts";
import { recordMessages as messages } from "../../messages/en/record.ts";
import { COMMENTS_HASH } from "../../records/comments/comment-place.ts";
import { isLong } from "../../records/fields/field-input.tsx";
import { readOnlyReason } from "../../records/fields/read-only-reason.ts";
import type { RecordView } from "../../state/record-view.ts";
import { unsavedTextsAtom } from "../../state/unsaved-texts.ts";
import { useAbilities, useModel } from "../../state/use-account.ts";
import { useAtom } from "../../state/use-atom.ts";
import { usePresentOn } from "../../state/use-presence.ts";
import { isNewRecord } from "../../sync/edits/build-view.ts";
import { Tag } from "../../ui/tag.tsx";
import { ActivityTab, type Stream } from "./activity-tab.tsx";
import { type CommentThread, useComments } from "./comments/use-comments.ts";
import { isEmptyValue } from "./field-value.tsx";
import { useHistory } from "./history/use-history.ts";
import { LinkedFromTab, type LinkSource } from "./linked/linked-from-tab.tsx";
import classes from "./record.module.css";
import { DeletedBanner, DraftBanner, ProblemBanner } from "./record-banners.tsx";
import { RecordField, type RecordFormProps } from "./record-field.tsx";
import { RecordTransitions } from "./record-transitions.tsx";
import { titleField } from "./title-field.ts";

interface Props {
  table: Table;
  abilities: TableAbilities;
  record: RecordView;
  /** A draft was discarded: there is no record to show. */
  onDiscarded(): void;
}

/**
 * The title of the record, its state, its fields as a form, what was said of it and done to it, and what links to it: in tabs, or, where there is
 * space, all but the form beside that.
 */
export function RecordBody({ table, abilities, record, onDiscarded }: Props) {
  const state = governedBy(table)?.stateField;
  const title = titleField(table, abilities, record);
  const fields = table.fields.filter(
    ({ name }) => abilities.fields.includes(name) && name !== state && name !== title?.name,
  );
  const deleted = record.mark === "deleted";
  const isDraft = record.pending === "draft";
  const isStored = !isNewRecord(record);
  const comments = useComments(table.name, record.id, isStored);
  const sources = useLinkSources(table.name);
  const hasValues = Object.keys(record.values).length > 0;
  const streams = streamsOf(!isDraft, abilities.history);
  const others: TabName[] = [
    ...(streams.length > 0 ? (["activity"] as const) : []),
    ...(sources.length > 0 && !isDraft ? (["linked"] as const) : []),
  ];
  const [shown, choose] = useTab(
    deleted && !hasValues && abilities.history ? "activity" : "fields",
    others,
  );
  const stream = streams.includes(shown.stream) ? shown.stream : (streams[0] ?? "all");
  const [isSplit, body] = useIsWide(SPLIT_FROM_PX);
  const isBeside = isSplit && others.length > 0;
  const tab = isBeside && shown.tab === "fields" ? (others[0] ?? "fields") : shown.tab;
  const [isTouched, setTouched] = useState(false);
  const isWanted = abilities.history && isStored && (isTouched || tab === "activity");
  const history = useHistory(table.name, record.id, record.version, isWanted);
  const touched = { onPointerEnter: () => setTouched(true), onFocus: () => setTouched(true) };
  const ofField = {
    ...{ table, abilities, record },
    history: abilities.history && !isDraft ? history : null,
    onShowHistory: () => choose({ tab: "activity", stream: "history" }),
  };
  const form = <RecordForm fields={fields} {...ofField} />;
  return (
    <>
      {title && (
        <div className={classes.titleField} {...touched}>
          <RecordField field={title} isTitle {...ofField} />
        </div>
      )}
      {deleted && (
        <DeletedBanner
          key={record.id}
          table={table}
          record={record}
          canRestore={abilities.delete}
        />
      )}
      {isDraft && <DraftBanner table={table} record={record} onDiscarded={onDiscarded} />}
      <ProblemBanner record={record} />
      <RecordTransitions table={table} record={record} />
      <div ref={body} className={classes.body} data-split={isBeside || undefined}>
        {isBeside && (
          <div className={classes.scroll} {...touched}>
            {form}
          </div>
        )}
        <Tabs
          value={tab}
          onChange={(value) => choose({ ...shown, tab: (value ?? "fields") as TabName })}
          className={classes.tabs ?? ""}
          keepMounted={false}
        >
          <Tabs.List px={4}>
            {!isBeside && (
              <Tabs.Tab value="fields" disabled={deleted && !hasValues}>
                {messages.fields()}
              </Tabs.Tab>
            )}
            {others.includes("activity") && (
              <Tabs.Tab value="activity">
                {messages.activity()}
                <CommentCount comments={comments} />
              </Tabs.Tab>
            )}
            {others.includes("linked") && (
              <Tabs.Tab value="linked">{messages.linkedFrom()}</Tabs.Tab>
            )}
          </Tabs.List>
          {!isBeside && (
            <Tabs.Panel value="fields" className={classes.scroll ?? ""} {...touched}>
              {form}
            </Tabs.Panel>
          )}
          {others.includes("activity") && (
            <Tabs.Panel value="activity" className={classes.scroll ?? ""}>
              <ActivityTab
                {...{ table, abilities, record, comments, history, streams, stream }}
                onStream={(next) => choose({ tab: "activity", stream: next })}
                canWrite={abilities.comment && !deleted}
              />
            </Tabs.Panel>
          )}
          {others.includes("linked") && (
            <Tabs.Panel value="linked" className={classes.scroll ?? ""}>
              <LinkedFromTab sources={sources} record={record.id} />
            </Tabs.Panel>
          )}
        </Tabs>
      </div>
    </>
  );
}

/** From this width on, what was said and done is beside the form. */
const SPLIT_FROM_PX = 860;

/** Whether an element is so wide, known before it is painted the first time. */
function useIsWide(fromPx: number): [boolean, RefObject<HTMLDivElement | null>] {
  const element = useRef<HTMLDivElement>(null);
  const [isWide, setWide] = useState(false);
  useLayoutEffect(() => {
    const { current } = element;
    if (!current) return;
    const measure = () => setWide(current.clientWidth >= fromPx);
    measure();
    const observer = new ResizeObserver(measure);
    observer.observe(current);
    return () => observer.disconnect();
  }, [fromPx]);
  return [isWide, element];
}

function streamsOf(hasComments: boolean, hasHistory: boolean): Stream[] {
  if (hasComments && hasHistory) return ["all", "comments", "history"];
  return hasComments ? ["comments"] : hasHistory ? ["history"] : [];
}

/** The link fields that point to a table, as far as the user can read them. */
function useLinkSources(target: string): LinkSource[] {
  const { tables: readable } = useAbilities();
  return useModel().tables.flatMap((table) => {
    const { fields = [] } = readable[table.name] ?? {};
    return table.fields
      .filter((field) => field.type === "link" && field.target === target)
      .filter(({ name }) => fields.includes(name))
      .map((field) => ({
        ...{ table, field },
        isTitled: fields.includes(table.display),
        open: workOf(table, fields)?.open ?? null,
      }));
  });
}

/** How many comments there are, marked if some are unread. */
function CommentCount({ comments: { items, hasEarlier } }: { comments: CommentThread }) {
  if (!items?.length) return null;
  const unread = items.filter((one) => one.unread).length;
  return (
    <Tag tone={unread > 0 ? "good" : "neutral"} ms={6} lh={1}>
      {hasEarlier ? `${items.length}+` : items.length}
      {unread > 0 && (
        <span className="wf-visually-hidden">
          {", "}
          {commentMessages.unreadCount({ count: unread })}
        </span>
      )}
    </Tag>
  );
}

type TabName = "fields" | "activity" | "linked";

/** The open tab, and what of the activity it shows. */
interface Shown {
  tab: TabName;
  stream: Stream;
}

/** The parts of an address that open a tab. */
const hashes: Readonly<Record<string, Shown>> = {
  [COMMENTS_HASH]: { tab: "activity", stream: "comments" },
  "#linked": { tab: "linked", stream: "all" },
  "#history": { tab: "activity", stream: "history" },
};

/** The open tab. An address that ends in the name of a tab opens it; choosing another one removes that. */
function useTab(first: TabName, others: readonly TabName[]): [Shown, (next: Shown) => void] {
  const [shown, setShown] = useState<Shown>({ tab: first, stream: "all" });
  const hash = useLocationProperty(() => location.hash);
  useEffect(() => {
    const named = hashes[hash];
    if (named) setShown(named);
  }, [hash]);
  const choose = (next: Shown) => {
    const named = hashes[location.hash];
    if (named && (named.tab !== next.tab || named.stream !== next.stream)) {
      history.replaceState(history.state, "", `${location.pathname}${location.search}`);
    }
    setShown(next);
  };
  return [others.includes(shown.tab) ? shown : { ...shown, tab: "fields" }, choose];
}

/** From so many on, empty fields wait behind a button. */
const FOLDED_FROM = 4;

/**
 * The fields of a record in sections, in two columns where there is space for them: what its heading says is not repeated, unless it can be edited
 * here. Many empty ones are behind a button: not one that is a column of the table, with a text that was not saved, that a colleague is in, that
 * has to be filled in, or that was shown before.
 */
function RecordForm({ fields, ...of }: RecordFormProps & { fields: readonly Field[] }) {
  const { table, abilities, record } = of;
  const [isUnfolded, setUnfolded] = useState(record.pending === "draft");
  const seen = useRef(new Set<string>());
  const unsaved = useAtom(unsavedTextsAtom).filter(
    (one) => one.table === table.name && one.record === record.id,
  );
  const present = usePresentOn(table.name, record.id);
  const isInUse = ({ name }: Field) =>
    record.cells[name] !== undefined ||
    unsaved.some(({ field }) => field === name) ||
    present.some(({ field }) => field === name);
  const isInHeading = (field: Field) =>
    field.name === table.display &&
    displayText(table, record.values) !== null &&
    !isLong(field.type) &&
    (field.automatic !== undefined || readOnlyReason(table, field, abilities, record) !== null) &&
    !isInUse(field);
  const isFoldable = (field: Field) => {
    const { name, required, type } = field;
    return (
      isEmptyValue(record.values[name]) &&
      !required &&
      !isLong(type) &&
      name !== table.display &&
      !table.columns.includes(name) &&
      !seen.current.has(name) &&
      !isInUse(field)
    );
  };
  const listed = fields.filter((field) => !isInHeading(field));
  const empty = isUnfolded ? [] : listed.filter(isFoldable);
  const folded = empty.length < FOLDED_FROM ? [] : empty;
  const shown = listed.filter((field) => !folded.includes(field));
  for (const { name } of shown) seen.current.add(name);
  const sections = sectionsOf(shown, folded.length > 0);
  return (
    <div className={classes.form}>
      {sections.map((section) => (
        <FormSection key={section.name} section={section} isOnly={sections.length === 1} {...of}>
          {section.name === "details" && folded.length > 0 && (
            <Button
              variant="subtle"
              color="gray"
              size="compact-sm"
              fw={400}
              justify="flex-start"
              px={0}
              leftSection={<IconPlus size={14} aria-hidden="true" />}
              onClick={() => setUnfolded(true)}
            >
              {messages.emptyFields({ count: folded.length })}
            </Button>
          )}
        </FormSection>
      ))}
    </div>
  );
}

/** Renders with its record, not with what decides which fields are folded. */
const FormField = memo(RecordField);

interface SectionProps extends RecordFormProps {
  section: Section;
  isOnly: boolean;
  children: ReactNode;
}

function FormSection({ section, isOnly, children, ...of }: SectionProps) {
  const { name, label, fields } = section;
  // A single text says its own name.
  const isNamed = !isOnly && !(name === "texts" && fields.length === 1);
  const id = useId();
  return (
    <section
      className={classes.section}
      data-section={name}
      aria-labelledby={isNamed ? id : undefined}
    >
      {isNamed && (
        <h3 id={id} className={classes.sectionName}>
          {label}
        </h3>
      )}
      {fields.map((field) => (
        <FormField key={field.name} field={field} {...of} />
      ))}
      {children}
    </section>
  );
}

interface Section {
  name: "details" | "texts" | "automatic";
  label: string;
  fields: Field[];
}

/** The fields of the form: texts, which say what happened and take the whole width, then short ones, then what nobody writes. */
function sectionsOf(fields: readonly Field[], hasFolded: boolean): Section[] {
  const parts = Map.groupBy(fields, (field): Section["name"] => {
    if (isReadOnly(field)) return "automatic";
    return isLong(field.type) ? "texts" : "details";
  });
  const sections: Section[] = [
    { name: "texts", label: messages.texts(), fields: parts.get("texts") ?? [] },
    { name: "details", label: messages.details(), fields: parts.get("details") ?? [] },
    { name: "automatic", label: messages.automatic(), fields: parts.get("automatic") ?? [] },
  ];
  return sections.filter(
    ({ name, fields: own }) => own.length > 0 || (name === "details" && hasFolded),
  );
}
