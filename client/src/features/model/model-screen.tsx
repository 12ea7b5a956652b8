import { Route, Switch } from "wouter";
import { modelMessages as messages } from "../../messages/en/model.ts";
import { useTitle } from "../../ui/use-title.ts";
import { MODEL, type Tab, tabs, VERSIONS } from "./addresses.ts";
import { DraftProvider } from "./draft/use-draft.tsx";
import { ModelBuilder } from "./model-builder.tsx";
import { VersionsScreen } from "./versions/versions-screen.tsx";

/** The model builder and the list of versions. */
export function ModelScreen() {
  useTitle(messages.title());
  return (
    <DraftProvider>
      <Switch>
        <Route path={VERSIONS}>
          <VersionsScreen />
        </Route>
        <Route path={`${MODEL}/t/:id/:tab?`}>
          {({ id, tab }) => <ModelBuilder open={id} tab={tabOf(tab)} />}
        </Route>
        <Route>
          <ModelBuilder open={undefined} tab="fields" />
        </Route>
      </Switch>
    </DraftProvider>
  );
}

function tabOf(text: string | undefined): Tab {
  return tabs.find((tab) => tab === text) ?? "fields";
}
