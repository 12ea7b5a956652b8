import classes from "./diagram.module.css";
import type { DiagramLayout, Line } from "./layout.ts";
import type { Selection } from "./selection.ts";

interface Props {
  plan: DiagramLayout;
  selection: Selection;
  /** The line that is being drawn, as a path. */
  drawn: string | null;
}

/** The lines of the diagram; selected ones are highlighted. Decorative, because the list has the same content. */
export function DiagramLines({ plan, selection, drawn }: Props) {
  return (
    <svg className={classes.lines} width={plan.width} height={plan.height} aria-hidden="true">
      <defs>
        {["plain", "strong"].map((tone) => (
          <marker
            key={tone}
            id={`arrow-${tone}`}
            viewBox="0 0 8 8"
            refX="7"
            refY="4"
            markerWidth="8"
            markerHeight="8"
            markerUnits="userSpaceOnUse"
            orient="auto"
          >
            <path d="M0 0.5 L8 4 L0 7.5 z" className={classes[tone]} />
          </marker>
        ))}
        <marker
          id="dot"
          viewBox="0 0 8 8"
          refX="4"
          refY="4"
          markerWidth="7"
          markerHeight="7"
          markerUnits="userSpaceOnUse"
        >
          <circle cx="4" cy="4" r="3.4" className={classes.plain} />
        </marker>
      </defs>
      {plan.lines.map((line) => {
        const strong = concerns(line, selection, plan.lines);
        return (
          <path
            key={line.key}
            className={classes.line}
            data-strong={strong || undefined}
            d={line.path}
            markerMid={line.arrow ? undefined : "url(#dot)"}
            markerEnd={line.arrow ? `url(#arrow-${strong ? "strong" : "plain"})` : undefined}
          />
        );
      })}
      {drawn && <path className={classes.line} data-drawn d={drawn} />}
    </svg>
  );
}

/** Whether a line belongs to the selected transition, or starts or ends at the selected state. */
function concerns(line: Line, selection: Selection, lines: readonly Line[]): boolean {
  if (selection?.kind === "transition") return line.transition === selection.name;
  if (selection?.kind !== "state") return false;
  if (line.state === selection.value) return true;
  const leaves = lines.some(
    (one) => !one.arrow && one.transition === line.transition && one.state === selection.value,
  );
  return line.arrow && leaves;
}
