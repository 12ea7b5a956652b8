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

/** A route of the administration. `Switch` reads its `path` prop. */
export function AdminRoute({ right, children, ...route }: AdminProps) {
  return (
    <Route {...route}>
      <WithRight right={right}>{children}</WithRight>
    </Route>
  );
}

/** Shows a screen to users who have the right; names the missing right to others. */
export function WithRight(props: { right: AdministrativeRight; children: ReactNode }) {
  const { rights } = useAbilities();
  return rights.includes(props.right) ? props.children : <ForbiddenScreen right={props.right} />;
}
