import type { ReactNode } from "react";
import { Route } from "wouter";
import type { AdministrativeRight } from "../../../shared/policy/role.ts";
import { ForbiddenScreen } from "../features/not-found/forbidden-screen.tsx";
import { useAbilities } from "../state/use-account.ts";

interface AdminProps {
  path: string;
  right: AdministrativeRight;
  children: ReactNode;
}

/** A route of the administration. `Switch` looks at its path, and hands it the match. */
export function AdminRoute({ right, children, ...route }: AdminProps) {
  return (
    <Route {...route}>
      <WithRight right={right}>{children}</WithRight>
    </Route>
  );
}

/** Shows a screen to those who have the right, and to others which right is missing. */
export function WithRight(props: { right: AdministrativeRight; children: ReactNode }) {
  const { rights } = useAbilities();
  return rights.includes(props.right) ? props.children : <ForbiddenScreen right={props.right} />;
}
