import { Code, Textarea } from "@mantine/core";
import { useRef } from "react";
import { writtenName } from "../../../../../shared/model/expression/rename-in-expression.ts";
import type { Field, FieldType } from "../../../../../shared/model/model.ts";
import { useTableEditor } from "../draft/use-table-editor.ts";
import { PickToAdd } from "../parts/pick-to-add.tsx";
import classes from "./fields.module.css";

interface Props {
  field: Field;
  index: number;
}

const example: Partial<Record<FieldType, string>> = {
  text: 'title & " (" & number & ")"',
  longText: 'title & " (" & number & ")"',
  boolean: "due < resolved",
  duration: "seconds_between(opened, resolved)",
  date: "first(promised, due)",
  timestamp: "first(resolved, due)",
};

const functionHelp = [
  ["+ − * / ( )", "arithmetic, exact"],
  ["&", "puts texts together"],
  ['if(state = "New", "a", "b")', "one of two values"],
  ["first(a, b)", "the first that is filled"],
  ["days_between(a, b)", "also hours, minutes, seconds"],
  ["round(x, 2) floor ceiling abs min max", "other numbers"],
] as const;

/** What the field is worked out from: the names of other fields, put together. */
export function FieldExpression({ field, index }: Props) {
  const { table, patchField, problem } = useTableEditor();
  const area = useRef<HTMLTextAreaElement>(null);
  const write = (expression: string) => patchField(field, { expression }, "expression");
  const insert = (name: string) => {
    const input = area.current;
    if (!input) return;
    input.setRangeText(writtenName(name), input.selectionStart, input.selectionEnd, "end");
    write(input.value);
    input.focus();
  };
  const others = table.fields.filter((one) => one !== field);
  return (
    <div className={classes.expression}>
      <Textarea
        ref={area}
        label="Worked out from"
        description={`For example: ${example[field.type] ?? "quantity * price"}`}
        autosize
        minRows={2}
        spellCheck={false}
        styles={{ input: { fontFamily: "var(--mantine-font-family-monospace)" } }}
        value={field.expression ?? ""}
        error={problem("fields", index, "expression")}
        onChange={(event) => write(event.currentTarget.value)}
      />
      <PickToAdd width={220} label="Insert a field" choices={others} onPick={insert} />
      <dl className={classes.functions}>
        {functionHelp.map(([code, meaning]) => (
          <div key={code}>
            <dt>
              <Code>{code}</Code>
            </dt>
            <dd>{meaning}</dd>
          </div>
        ))}
      </dl>
    </div>
  );
}
