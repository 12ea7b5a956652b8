import { Button } from "@mantine/core";
import { randomId } from "@mantine/hooks";
import { useEffect, useRef, useState } from "react";
import { deepEqual } from "../../../../shared/document/deep-equal.ts";
import type { Filter } from "../../../../shared/filter/filter.ts";
import type { Field } from "../../../../shared/model/model.ts";
import { filterMessages as messages } from "../../messages/en/filter.ts";
import { Hint } from "../../ui/texts.ts";
import classes from "./filter-builder.module.css";
import { type Begins, FilterGroupEditor } from "./filter-group-editor.tsx";
import { type FilterGroup, fromFilter, toFilter } from "./filter-tree.ts";
import type { OfferedOperands } from "./operand-kinds.ts";

interface Props {
  fields: readonly Field[];
  filter: Filter | null;
  /** Shown if there is no condition. */
  emptyHint?: string;
  /** It begins with the list of fields while there is no condition. */
  begins?: Begins;
  /** Offers to compare with other fields, times and the current user, as rules and guards do. */
  operands?: OfferedOperands;
  onFilter(filter: Filter | null): void;
}

const emptyGroup = (): FilterGroup => ({ id: randomId(), mode: "all", parts: [] });

/**
 * The filter builder: conditions of field, operator and value, in groups that match all, any or none. An incomplete
 * condition stays in this component and is not part of the filter. A changed `filter` prop replaces everything.
 */
export function FilterBuilder(props: Props) {
  const { fields, filter, emptyHint, begins, operands = false, onFilter } = props;
  const [group, setGroup] = useState(() => fromFilter(filter));
  const lastFilter = useRef(filter);
  useEffect(() => {
    if (deepEqual(filter, lastFilter.current)) return;
    lastFilter.current = filter;
    setGroup(fromFilter(filter));
  }, [filter]);
  const change = (next: FilterGroup) => {
    setGroup(next);
    const made = toFilter(next);
    if (deepEqual(made, lastFilter.current)) return;
    lastFilter.current = made;
    onFilter(made);
  };
  return (
    <div className={classes.builder}>
      {group === null && <Hint fz="xs">{messages.notEditable()}</Hint>}
      {emptyHint && group?.parts.length === 0 && <Hint fz="xs">{emptyHint}</Hint>}
      {group && (
        <FilterGroupEditor
          group={group}
          fields={fields}
          operands={operands}
          depth={0}
          begins={begins}
          onChange={change}
        />
      )}
      {filter !== null && (
        <Button
          style={{ justifySelf: "end" }}
          variant="subtle"
          color="gray"
          size="compact-sm"
          onClick={() => change(emptyGroup())}
        >
          {messages.clearAll()}
        </Button>
      )}
    </div>
  );
}
