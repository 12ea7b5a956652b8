import { IconAlertTriangle } from "@tabler/icons-react";
import { useEffect, useRef } from "react";
import classes from "./form-problem.module.css";

interface Props {
  problem: string | null;
  /** False if the form sets the focus itself, and for what was not read in the background: the user types elsewhere. */
  focus?: boolean;
}

/** The reason why a form was rejected. It takes the focus, so that it is noticed and read. */
export function FormProblem({ problem, focus = true }: Props) {
  const alert = useRef<HTMLDivElement>(null);
  useEffect(() => {
    if (problem && focus) alert.current?.focus();
  }, [problem, focus]);
  if (!problem) return null;
  return (
    <div ref={alert} tabIndex={-1} role="alert" className={classes.problem}>
      <IconAlertTriangle size={18} stroke={1.8} aria-hidden="true" />
      <span>{problem}</span>
    </div>
  );
}
