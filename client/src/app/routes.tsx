import { type ReactNode, Suspense, useEffect, useState } from "react";
import { Route, Switch, useLocation, useSearchParams } from "wouter";
import type { AdministrativeRight } from "../../../shared/policy/role.ts";
import { recordAt } from "../../../shared/record-address.ts";
import { DashboardScreen } from "../features/dashboard/dashboard-screen.tsx";
import { ForbiddenScreen } from "../features/not-found/forbidden-screen.tsx";
import { NotFoundScreen } from "../features/not-found/not-found-screen.tsx";
import { Shell } from "../features/shell/shell.tsx";
import { boardAddress, searchWithRecord } from "../records/record-address.ts";
import { useAbilities, useAccountData } from "../state/use-account.ts";
import { ScreenSkeleton } from "../ui/screen-skeleton.tsx";
import { ErrorBoundary } from "./error-boundary.tsx";
import {
  ActivityScreen,
  BoardScreen,
  ChangeSetScreen,
  ChangesScreen,
  DisplaysScreen,
  FirstMinute,
  ImportScreen,
  InboxScreen,
  MeScreen,
  ModelScreen,
  prefetchScreens,
  RecordPanel,
  RolesScreen,
  SecurityScreen,
  SignInScreen,
  SystemScreen,
  TableScreen,
  TokensScreen,
  UsersScreen,
  WallboardScreen,
  WallboardsScreen,
  WebhooksScreen,
} from "./lazy-screens.ts";
import { OpenSheet } from "./open-sheet.tsx";

/** Every address inside the shell. An error in a screen does not affect the shell. */
export function Routes() {
  const [path] = useLocation();
  useEffect(prefetchScreens, []);
  return (
    <Shell>
      <ErrorBoundary resetKey={path}>
        <Suspense fallback={<ScreenSkeleton />}>
          <Switch>
            <Route path="/">
              <Home />
            </Route>
            <Route path="/t/:table/board">
              {({ table }) => <Board key={table} table={table} />}
            </Route>
            <Route path="/t/:table/:record?">
              {({ table, record }) => <Table key={table} table={table} part={record} />}
            </Route>
            <Route path="/import/:table">
              {({ table }) => <ImportScreen key={table} table={table} />}
            </Route>
            <AdminRoute path="/admin/users" right="users">
              <UsersScreen />
            </AdminRoute>
            <AdminRoute path="/admin/sign-in" right="users">
              <SignInScreen />
            </AdminRoute>
            <Route path="/admin/roles/:role?">
              {({ role }) => (
                <WithRight right="roles">
                  <RolesScreen role={role} />
                </WithRight>
              )}
            </Route>
            <Route path="/wallboards">
              <WallboardsScreen />
            </Route>
            <Route path="/wallboards/:id">{({ id }) => <WallboardScreen key={id} id={id} />}</Route>
            <Route path="/activity">
              <ActivityScreen />
            </Route>
            <Route path="/changes">
              <ChangesScreen />
            </Route>
            <Route path="/changes/:id">{({ id }) => <ChangeSetScreen key={id} id={id} />}</Route>
            <AdminRoute path="/admin/security" right="activity">
              <SecurityScreen />
            </AdminRoute>
            <AdminRoute path="/admin/system" right="system">
              <SystemScreen />
            </AdminRoute>
            <AdminRoute path="/admin/displays" right="displays">
              <DisplaysScreen />
            </AdminRoute>
            <AdminRoute path="/admin/tokens" right="tokens">
              <TokensScreen />
            </AdminRoute>
            <Route path="/admin/webhooks/:id?">
              {({ id }) => (
                <WithRight right="webhooks">
                  <WebhooksScreen id={id} />
                </WithRight>
              )}
            </Route>
            <AdminRoute path="/admin/model/*?" right="model">
              <ModelScreen />
            </AdminRoute>
            <Route path="/inbox">
              <InboxScreen />
            </Route>
            <Route path="/me">
              <MeScreen />
            </Route>
            <Route>
              <NotFoundScreen />
            </Route>
          </Switch>
        </Suspense>
      </ErrorBoundary>
      <OpenSheet />
    </Shell>
  );
}

/**
 * The dashboard; without any table the way to the first one, for those who may make it. That stays until it is left: its own table is there
 * a moment before it leads to it.
 */
function Home() {
  const { model, session } = useAccountData();
  const isEmpty = model.tables.length === 0;
  const [isFirst] = useState(isEmpty && session.abilities.rights.includes("model"));
  return isFirst ? <FirstMinute /> : <DashboardScreen />;
}

/** A table with the record that its address names, if any. */
function Table({ table, part }: { table: string; part: string | undefined }) {
  const record = part && recordAt(part);
  const panel = record && (
    <PanelPlace>
      <RecordPanel table={table} record={record} />
    </PanelPlace>
  );
  return <TableScreen table={table} record={record} panel={panel} />;
}

/** The board keeps the opened record in its query, so that opening the panel does not remount the cards. */
function Board({ table }: { table: string }) {
  const [params] = useSearchParams();
  const record = params.get("record");
  const addressOf = (to: string | null) => `${boardAddress(table)}${searchWithRecord(params, to)}`;
  const panel = record && (
    <PanelPlace>
      <RecordPanel table={table} record={record} addressOf={addressOf} />
    </PanelPlace>
  );
  return <BoardScreen table={table} panel={panel} />;
}

/**
 * Loads the panel's code and shows its errors in the panel's own place. A boundary further out would hide the whole
 * screen, which unmounts the grid.
 */
function PanelPlace({ children }: { children: ReactNode }) {
  const [path] = useLocation();
  return (
    <ErrorBoundary resetKey={path}>
      <Suspense fallback={null}>{children}</Suspense>
    </ErrorBoundary>
  );
}

interface AdminProps {
  path: string;
  right: AdministrativeRight;
  children: ReactNode;
}

/** A route of the administration. `Switch` reads its `path` prop. */
function AdminRoute({ right, children, ...route }: AdminProps) {
  return (
    <Route {...route}>
      <WithRight right={right}>{children}</WithRight>
    </Route>
  );
}

/** Shows a screen to users who have the right; names the missing right to others. */
function WithRight(props: { right: AdministrativeRight; children: ReactNode }) {
  const { rights } = useAbilities();
  return rights.includes(props.right) ? props.children : <ForbiddenScreen right={props.right} />;
}
