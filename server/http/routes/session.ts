import { z } from "zod";
import { abilitiesOf } from "../../../shared/policy/abilities.ts";
import { Refusal } from "../../../shared/protocol/errors.ts";
import { type SessionInfo, signInSchema } from "../../../shared/protocol/session.ts";
import type { Identity } from "../../auth/identity.ts";
import type { AppDeps } from "../app-deps.ts";
import { callerOf } from "../caller-of.ts";
import { publicRoute, type Reply, type Route, route } from "../route.ts";

/** Signing in and out, and who am I. */

type Deps = Pick<AppDeps, "auth" | "model">;

export const sessionInfoSchema = z.object({
  user: z.object({
    id: z.string(),
    name: z.string(),
    colour: z.string(),
    email: z.string(),
    role: z.string(),
    roleName: z.string(),
    attributes: z.record(z.string(), z.json()),
  }),
  abilities: z.looseObject({ rights: z.array(z.string()) }),
  expires: z.string(),
});

export function sessionRoutes(deps: Deps): Route[] {
  const { auth, model } = deps;
  return [
    publicRoute(
      {
        method: "post",
        path: "/session",
        summary: "Sign in. Opens a session in the browser's cookie.",
        body: signInSchema,
        answer: sessionInfoSchema,
      },
      async ({ body, request }, former) =>
        signedIn(deps, await auth.signIn(body, callerOf(request)), former),
    ),
    route(
      {
        method: "get",
        path: "/session",
        summary: "Who am I, and what may I do.",
        answer: sessionInfoSchema,
      },
      async (identity) => ({ body: sessionInfo(identity, model()) }),
    ),
    publicRoute(
      { method: "delete", path: "/session", summary: "Sign out.", status: 204 },
      async (_call, identity) => {
        if (identity) await auth.signOut(identity);
        return { session: null };
      },
    ),
  ];
}

/**
 * The answer to whoever has just proved who they are: the cookie, and who they are. A session that the
 * browser had before is over: nobody could end it from there any more.
 */
export async function signedIn(
  { auth, model }: Deps,
  token: string,
  former: Identity | null = null,
): Promise<Reply> {
  if (former) await auth.signOut(former);
  const identity = await auth.authenticate(token);
  if (!identity) throw new Refusal("session_ended");
  return { session: token, body: sessionInfo(identity, model()) };
}

function sessionInfo(identity: Identity, model: ReturnType<Deps["model"]>): SessionInfo {
  const { person, subject, expires } = identity;
  return {
    user: {
      ...person,
      role: subject.role.id,
      roleName: subject.role.name,
      attributes: subject.attributes,
    },
    abilities: abilitiesOf(subject, model),
    expires,
  };
}
