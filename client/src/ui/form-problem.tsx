import { IconAlertTriangle } from "@tabler/icons-react";
import { useEffect, useRef } from "react";
import classes from "./form-problem.module.css";

/** Why a form was refused, above it; takes the focus, so that it is read and seen at once. */
export function FormProblem({ problem }: { problem: string | null }) {
  const alert = useRef<HTMLDivElement>(null);
  useEffect(() => {
    if (problem) alert.current?.focus();
  }, [problem]);
  if (!problem) return null;
  return (
    <div ref={alert} tabIndex={-1} role="alert" className={classes.problem}>
      <IconAlertTriangle size={18} stroke={1.8} aria-hidden="true" />
      <span>{problem}</span>
    </div>
  );
}
