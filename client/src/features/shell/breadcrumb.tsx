import { Box } from "@mantine/core";
import { IconChevronRight } from "@tabler/icons-react";
import { Link, useLocation, useRoute } from "wouter";
import { shellMessages as messages } from "../../messages/en/shell.ts";
import { LABEL_WAITING } from "../../records/fields/label-waiting.ts";
import { recordAt } from "../../records/record-address.ts";
import { useModel } from "../../state/use-account.ts";
import { useRecordTitle } from "../../state/use-record-title.ts";
import { useScreenTitle } from "../../state/use-screen-title.ts";
import { useWallboardName } from "../../state/use-wallboard-name.ts";
import classes from "./breadcrumb.module.css";
import { breadcrumbSteps } from "./trail.ts";

/** The path to the current screen, which is the last step. */
export function Breadcrumb() {
  const [path] = useLocation();
  const model = useModel();
  const [, where] = useRoute("/t/:table/:record");
  const table = model.tables.find(({ name }) => name === where?.table);
  const record = useRecordTitle(table, where ? recordAt(where.record) : undefined);
  const [, wall] = useRoute("/wallboards/:wallboard");
  const wallboard = useWallboardName(wall?.wallboard ?? "");
  const named = useScreenTitle(path);
  const title = wall ? wallboard : (record ?? named);
  const trail = breadcrumbSteps(path, model, title);
  return (
    <Box component="nav" aria-label={messages.breadcrumb()} miw={0}>
      <ol className={classes.list}>
        {trail.map((step, at) => (
          <li
            key={step.label}
            className={classes.step}
            data-last={at === trail.length - 1 || undefined}
          >
            {at > 0 && <IconChevronRight size={14} stroke={1.6} aria-hidden="true" />}
            {step.href && at < trail.length - 1 ? (
              <Link href={step.href}>{step.label}</Link>
            ) : (
              <span
                dir="auto"
                className={step.label === LABEL_WAITING ? "wf-waiting" : undefined}
                aria-current={at === trail.length - 1 ? "page" : undefined}
              >
                {step.label}
              </span>
            )}
          </li>
        ))}
      </ol>
    </Box>
  );
}
