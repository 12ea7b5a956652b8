import { Button, Loader } from "@mantine/core";
import { IconPlugConnectedX } from "@tabler/icons-react";
import { type FunctionComponent, Suspense } from "react";
import { Redirect, useLocation, useSearch } from "wouter";
import { nextAfterSignIn, signInAddress } from "../access/next-address.ts";
import { appMessages as messages } from "../messages/en/app.ts";
import { useAccount } from "../state/use-account.ts";
import { loadAccount } from "../sync/calls/account.ts";
import { Notice } from "../ui/notice.tsx";
import { lazyScreen } from "./lazy-screen.tsx";
import { SessionEndedSheet } from "./lazy-screens.ts";
import { Routes } from "./routes.tsx";

const LoginScreen = lazyScreen(() =>
  import("../features/login/login-screen.tsx").then((m) => m.LoginScreen),
);
const SecondFactorScreen = lazyScreen(() =>
  import("../features/me/second-factor-screen.tsx").then((m) => m.SecondFactorScreen),
);
const SetupScreen = lazyScreen(() =>
  import("../features/setup/setup-screen.tsx").then((m) => m.SetupScreen),
);
const InvitationScreen = lazyScreen(() =>
  import("../features/login/invitation-screen.tsx").then((m) => m.InvitationScreen),
);
const SignInFailedScreen = lazyScreen(() =>
  import("../features/login/sign-in-failed-screen.tsx").then((m) => m.SignInFailedScreen),
);
const PasswordResetScreen = lazyScreen(() =>
  import("../features/login/password-reset-screen.tsx").then((m) => m.PasswordResetScreen),
);

const UnsubscribeScreen = lazyScreen(() =>
  import("../features/login/unsubscribe-screen.tsx").then((m) => m.UnsubscribeScreen),
);
const UNSUBSCRIBE = "/unsubscribe/";
/** Screens that are the same for whoever is signed in, or nobody. */
const entryScreens: Record<string, FunctionComponent> = {
  "/invitation": InvitationScreen,
  "/password-reset": PasswordResetScreen,
  "/sign-in-failed": SignInFailedScreen,
};

/** Shows set-up, sign-in or the screens, depending on the account. */
export function RootScreen() {
  const account = useAccount();
  const [path] = useLocation();
  const search = useSearch();
  const EntryScreen = entryScreens[path];
  if (EntryScreen && account.kind !== "loading") {
    return (
      <Suspense fallback={<LoadingScreen />}>
        <EntryScreen />
      </Suspense>
    );
  }
  if (path.startsWith(UNSUBSCRIBE) && account.kind !== "loading") {
    return (
      <Suspense fallback={<LoadingScreen />}>
        <UnsubscribeScreen token={path.slice(UNSUBSCRIBE.length)} />
      </Suspense>
    );
  }
  switch (account.kind) {
    case "loading":
      return <LoadingScreen />;
    case "unreachable":
      return <Unreachable />;
    case "setup":
      if (path !== "/setup") return <Redirect to="/setup" replace />;
      return (
        <Suspense fallback={<LoadingScreen />}>
          <SetupScreen />
        </Suspense>
      );
    case "signedOut":
      if (path !== "/login") return <Redirect to={signInAddress(path, search)} replace />;
      return (
        <Suspense fallback={<LoadingScreen />}>
          <LoginScreen />
        </Suspense>
      );
    case "lacksFactor":
      return (
        <Suspense fallback={<LoadingScreen />}>
          <SecondFactorScreen session={account.session} />
        </Suspense>
      );
    case "signedIn":
    case "ended":
      if (path === "/login" || path === "/setup") {
        return <Redirect to={nextAfterSignIn(search)} replace />;
      }
      return (
        <>
          <Routes />
          {account.kind === "ended" && (
            <Suspense>
              <SessionEndedSheet email={account.data.session.user.email} />
            </Suspense>
          )}
        </>
      );
  }
}

function LoadingScreen() {
  return (
    <main style={{ height: "100%", display: "grid", placeItems: "center" }}>
      <Loader size="sm" aria-label={messages.loading()} />
    </main>
  );
}

function Unreachable() {
  return (
    <main style={{ height: "100%" }}>
      <Notice
        icon={IconPlugConnectedX}
        title={messages.unreachable()}
        text={messages.unreachableText()}
      >
        <Button onClick={() => void loadAccount()}>{messages.tryAgain()}</Button>
      </Notice>
    </main>
  );
}
