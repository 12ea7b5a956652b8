import { Button } from "@mantine/core";
import { useEffect, useRef, useState } from "react";
import { deepEqual } from "../../../../shared/document/deep-equal.ts";
import type { Filter } from "../../../../shared/filter/filter.ts";
import type { Field } from "../../../../shared/model/model.ts";
import type { LookUp } from "../fields/look-up.ts";
import classes from "./filter-builder.module.css";
import { FilterGroupEditor } from "./filter-group-editor.tsx";
import { type FilterGroup, fromFilter, newPartId, toFilter } from "./filter-tree.ts";

interface Props {
  fields: readonly Field[];
  filter: Filter | null;
  lookUp: LookUp;
  /** What it means that there is no condition. */
  emptyHint: string;
  /** Offers to compare with other fields, moments and whoever looks, as rules and guards do. */
  operands?: boolean;
  onFilter(filter: Filter | null): void;
}

const emptyGroup = (): FilterGroup => ({ id: newPartId(), mode: "all", parts: [] });

/**
 * The filter builder: conditions of field, question and value, in groups that are joined by all, any
 * or none. A condition that says nothing yet is kept here and is no part of the filter; a filter that
 * comes from outside wins.
 */
export function FilterBuilder(props: Props) {
  const { fields, filter, lookUp, emptyHint, operands = false, onFilter } = props;
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
      {group === null && (
        <p className={classes.hint}>This filter says something that no condition here can say.</p>
      )}
      {group?.parts.length === 0 && <p className={classes.hint}>{emptyHint}</p>}
      {group && (
        <FilterGroupEditor
          group={group}
          fields={fields}
          lookUp={lookUp}
          operands={operands}
          depth={0}
          onChange={change}
        />
      )}
      {filter !== null && (
        <Button
          className={classes.clear ?? ""}
          variant="subtle"
          color="gray"
          size="compact-sm"
          onClick={() => change(emptyGroup())}
        >
          Clear all
        </Button>
      )}
    </div>
  );
}
