import { Button, Menu } from "@mantine/core";
import { useDisclosure } from "@mantine/hooks";
import { IconAlertTriangle } from "@tabler/icons-react";
import { useEffect } from "react";
import { useLocation } from "wouter";
import { idOfTable } from "../../../../shared/model/model.ts";
import { modelMessages as messages } from "../../messages/en/model.ts";
import { ReadyButton } from "../../ui/ready-button.tsx";
import { toast } from "../../ui/toast.tsx";
import { useGiveFocus } from "../../ui/use-give-focus.ts";
import { addressOfTable, MODEL, type Tab } from "./addresses.ts";
import type { DraftProblem } from "./draft/find-problems.ts";
import { useDraft } from "./draft/use-draft.tsx";
import classes from "./model.module.css";
import { SaveDialog } from "./save/save-dialog.tsx";

/**
 * Shown if the draft differs from the published model: its problems, discarding and publishing. In the head of the page, which stays in view; on a
 * small screen at its end, in reach of a thumb.
 */
export function DraftBar() {
  const { changed, problems, newer, store } = useDraft();
  const [saving, { open, close }] = useDisclosure(false);
  const giveFocus = useGiveFocus();
  const isShown = changed || saving;
  useEffect(() => {
    if (isShown) revealFocused();
  }, [isShown]);
  if (!isShown) return null;
  return (
    <section ref={giveFocus} className={classes.bar} aria-label={messages.draft()}>
      <span className={classes.status}>{messages.unpublished()}</span>
      <Button
        variant="subtle"
        color="gray"
        onClick={() => toast(messages.discarded(), store.discard())}
      >
        {messages.discard()}
      </Button>
      <ProblemsMenu />
      <ReadyButton isReady={problems.length === 0 && newer === null} onClick={open}>
        {messages.review()}
      </ReadyButton>
      {saving && <SaveDialog onClose={close} />}
    </section>
  );
}

/** The bar may appear while the user types: keeps the focused input visible. */
function revealFocused(): void {
  const focused = document.activeElement;
  if (focused instanceof HTMLElement && focused !== document.body) {
    focused.scrollIntoView({ block: "nearest" });
  }
}

const MAX_SHOWN = 12;

/** The problems of the draft, each a link to its place. */
function ProblemsMenu() {
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
