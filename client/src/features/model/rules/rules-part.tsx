import { ActionIcon, Button, TextInput } from "@mantine/core";
import { IconPlus, IconTrash } from "@tabler/icons-react";
import { describeFilter } from "../../../../../shared/filter/describe.ts";
import { findField, type Rule, type Table } from "../../../../../shared/model/model.ts";
import { FilterBuilder } from "../../../ui/filter/filter-builder.tsx";
import { toast } from "../../../ui/toast.tsx";
import { useDraft } from "../draft/use-draft.tsx";
import { useTableEditor } from "../draft/use-table-editor.ts";
import { useDraftLookUp } from "../fields/use-draft-look-up.ts";
import classes from "./rules.module.css";

const matchAll = { and: [] };

/** What must hold between the fields of a record: each rule as conditions, and the sentence for who breaks it. */
export function RulesPart() {
  const { table, change } = useTableEditor();
  const rules = table.rules ?? [];
  const set = (update: (all: Rule[]) => Rule[]) =>
    change((one) => ({ ...one, rules: update(one.rules ?? []) }));
  return (
    <section aria-label="Rules" className={classes.rules}>
      <p className={classes.lead}>
        A rule says what must be true of every {table.recordLabel}. An edit that breaks it is
        refused with your sentence.
      </p>
      {rules.map((rule, index) => (
        // biome-ignore lint/suspicious/noArrayIndexKey: a rule has no name but its place.
        <RuleCard key={index} rule={rule} index={index} table={table} />
      ))}
      <div>
        <Button
          variant="default"
          leftSection={<IconPlus size={16} aria-hidden="true" />}
          onClick={() => set((all) => [...all, { filter: matchAll, message: "" }])}
        >
          Add a rule
        </Button>
      </div>
    </section>
  );
}

function RuleCard({ rule, index, table }: { rule: Rule; index: number; table: Table }) {
  const { change, problem } = useTableEditor();
  const { store } = useDraft();
  const lookUp = useDraftLookUp();
  const patch = (part: Partial<Rule>, tag?: string) =>
    change(
      (one) => ({
        ...one,
        rules: (one.rules ?? []).map((was, at) => (at === index ? { ...was, ...part } : was)),
      }),
      tag && `rule ${index} ${tag}`,
    );
  const remove = () => {
    change(({ rules = [], ...one }) => {
      const left = rules.filter((_, at) => at !== index);
      return left.length ? { ...one, rules: left } : one;
    });
    toast("The rule is taken out of the draft.", () => store.undo());
  };
  const isEmpty = "and" in rule.filter && rule.filter.and.length === 0;
  return (
    <article className={classes.rule} aria-label={`Rule ${index + 1}`}>
      <header className={classes.head}>
        <h3 className={classes.title}>Rule {index + 1}</h3>
        <ActionIcon size="sm" aria-label={`Remove rule ${index + 1}`} onClick={remove}>
          <IconTrash size={16} />
        </ActionIcon>
      </header>
      <FilterBuilder
        fields={table.fields}
        filter={isEmpty ? null : rule.filter}
        lookUp={lookUp}
        operands
        emptyHint="Every record is right, until you add a condition."
        onFilter={(filter) => patch({ filter: filter ?? matchAll })}
      />
      {problem("rules", index, "filter") && (
        <p className={classes.problem}>{problem("rules", index, "filter")}</p>
      )}
      {!isEmpty && (
        <p className={classes.words}>
          Must hold: {describeFilter(rule.filter, (name) => findField(table, name)?.label ?? name)}.
        </p>
      )}
      <TextInput
        label="What to say to who breaks it"
        placeholder="Resolved must not be before opened."
        value={rule.message}
        error={problem("rules", index, "message")}
        onChange={(event) => patch({ message: event.currentTarget.value }, "message")}
      />
    </article>
  );
}
