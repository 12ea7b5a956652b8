import { Button, Menu } from "@mantine/core";
import { IconAlertTriangle } from "@tabler/icons-react";
import { useLocation } from "wouter";
import { idOfTable } from "../../../../shared/model/model.ts";
import { modelMessages as messages } from "../../messages/en/model.ts";
import { addressOfTable, MODEL, type Tab } from "./addresses.ts";
import type { DraftProblem } from "./draft/find-problems.ts";
import { useDraft } from "./draft/use-draft.tsx";

const MAX_SHOWN = 12;

/** The problems of the draft, each a link to its place. */
export function ProblemsMenu() {
  const { draft, problems } = useDraft();
  const [, navigate] = useLocation();
  if (problems.length === 0) return null;
  const addressOf = ({ path }: DraftProblem) => {
    const table = draft.tables[Number(path[1])];
    return table ? addressOfTable(idOfTable(table), tabOf(path[2])) : MODEL;
  };
  const placeOf = ({ path }: DraftProblem) => {
    const table = draft.tables[Number(path[1])];
    const field = path[2] === "fields" ? table?.fields[Number(path[3])] : undefined;
    return [table?.label, field?.label].filter(Boolean).join(", ");
  };
  return (
    <Menu position="bottom-end" width={340}>
      <Menu.Target>
        <Button
          variant="default"
          c="var(--wf-bad)"
          leftSection={<IconAlertTriangle size={16} aria-hidden="true" />}
        >
          {messages.problems({ count: problems.length })}
        </Button>
      </Menu.Target>
      <Menu.Dropdown>
        {problems.slice(0, MAX_SHOWN).map((problem) => (
          <Menu.Item
            key={`${problem.path.join(".")} ${problem.message}`}
            onClick={() => navigate(addressOf(problem))}
          >
            <strong>{placeOf(problem)}</strong>
            <br />
            {problem.message}
          </Menu.Item>
        ))}
      </Menu.Dropdown>
    </Menu>
  );
}

function tabOf(part: string | number | undefined): Tab {
  if (part === "fields" || part === "workflow" || part === "rules") return part;
  return "table";
}
