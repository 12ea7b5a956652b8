import { z } from "zod";
import { passwordResetSchema, resetPasswordSchema } from "../../../shared/protocol/password.ts";
import type { AppDeps } from "../app-deps.ts";
import { publicRoute, type Route } from "../route.ts";

const params = z.object({ token: z.string().max(200) });

/** How a person who forgot the password chooses another: the token of the link is the proof. */
export function passwordResetRoutes({ auth }: Pick<AppDeps, "auth">): Route[] {
  const { passwords } = auth;
  return [
    publicRoute(
      {
        method: "get",
        path: "/password-resets/{token}",
        summary: "For whom a link to reset a password is.",
        params,
        answer: passwordResetSchema,
      },
      async (call) => ({ body: await passwords.readReset(call.params.token) }),
    ),
    publicRoute(
      {
        method: "post",
        path: "/password-resets/{token}",
        summary: "Choose the new password. Ends every session of the person, and signs nobody in.",
        params,
        body: resetPasswordSchema,
        status: 204,
      },
      async (call) => {
        await passwords.reset(call.params.token, call.body.password);
        return {};
      },
    ),
  ];
}
