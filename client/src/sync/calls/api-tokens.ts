import type {
  ApiTokenInfo,
  CreateApiTokenCall,
  CreatedApiToken,
} from "../../../../shared/protocol/api-tokens.ts";
import { rest } from "../../transport/rest.ts";

/** The user's own API tokens, and with the right to manage them those of everybody; newest first. */
export async function listTokens(): Promise<ApiTokenInfo[]> {
  return (await rest("GET /tokens")).items;
}

/** Creates a token; only this answer holds the secret. */
export function createToken(body: CreateApiTokenCall): Promise<CreatedApiToken> {
  return rest("POST /tokens", { body });
}

/** Renames a token, also in the changes that it has made. */
export function renameToken(id: string, name: string): Promise<ApiTokenInfo> {
  return rest("PATCH /tokens/{id}", { params: { id }, body: { name } });
}

/** Revokes a token for good. */
export function revokeToken(id: string): Promise<void> {
  return rest("DELETE /tokens/{id}", { params: { id } });
}
