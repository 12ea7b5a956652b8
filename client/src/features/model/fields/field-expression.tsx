import { Code, Stack, Textarea } from "@mantine/core";
import { useRef } from "react";
import { writtenName } from "../../../../../shared/model/expression/rename-in-expression.ts";
import type { Field } from "../../../../../shared/model/model.ts";
import { modelMessages as messages } from "../../../messages/en/model.ts";
import { PickToAdd } from "../../../records/order/pick-to-add.tsx";
import { noFill } from "../../../ui/no-fill.ts";
import { useTableEditor } from "../draft/use-table-editor.ts";
import { offeredTypes } from "../labels/field-choices.ts";
import classes from "./fields.module.css";

interface Props {
  field: Field;
  index: number;
}

const functionHelp = [
  ["+ − * / ( )", messages.helpArithmetic],
  ["&", messages.helpConcat],
  ['if(state = "New", "a", "b")', messages.helpIf],
  ["first(a, b)", messages.helpFirst],
  ["days_between(a, b)", messages.helpBetween],
  ["round(x, 2) floor ceiling abs min max", messages.helpNumbers],
] as const;

/** The expression that computes the field from other fields. */
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
    <Stack gap={10}>
      <Textarea
        {...noFill}
        ref={area}
        label={messages.expression()}
        description={messages.expressionExample({
          example: offeredTypes[field.type].example ?? "quantity * price",
        })}
        autosize
        minRows={2}
        spellCheck={false}
        styles={{ input: { fontFamily: "var(--mantine-font-family-monospace)" } }}
        value={field.expression ?? ""}
        error={problem("fields", index, "expression")}
        onChange={(event) => write(event.currentTarget.value)}
      />
      <PickToAdd width={220} label={messages.insertField()} choices={others} onPick={insert} />
      <dl className={classes.functions}>
        {functionHelp.map(([code, meaning]) => (
          <div key={code}>
            <dt>
              <Code>{code}</Code>
            </dt>
            <dd>{meaning()}</dd>
          </div>
        ))}
      </dl>
    </Stack>
  );
}
