import { afterEach, describe, expect, it, vi } from "vitest";
import { rest, toRefusal } from "./rest.ts";

afterEach(() => vi.unstubAllGlobals());

function refused(status: number, answer: unknown, retryAfter?: string) {
  const headers = new Headers(retryAfter ? { "retry-after": retryAfter } : {});
  return toRefusal({ status, headers }, answer);
}

describe("a refused call", () => {
  it("keeps the code, the sentence and the detail of the problem document", () => {
    const refusal = refused(403, {
      type: "urn:watchfloor:problem:forbidden",
      title: "You do not have the right to do that.",
      status: 403,
      detail: "Only an owner may change an owner.",
      code: "forbidden",
      message: "Only an owner may change an owner.",
      role: "owner",
    });
    expect(refusal.code).toBe("forbidden");
    expect(refusal.message).toBe("Only an owner may change an owner.");
    expect(refusal.detail).toEqual({ role: "owner" });
  });

  it("says how long to wait, also where only the header does", () => {
    expect(refused(429, { code: "rate_limited" }, "840").detail).toEqual({ retryAfter: 840 });
  });

  it("is unavailable when something before the server answers, internal otherwise", () => {
    expect(refused(502, null).code).toBe("unavailable");
    expect(refused(500, "<html>").code).toBe("internal");
  });

  it("trusts no code that the catalogue does not have", () => {
    expect(refused(400, { code: "constructor", message: "x" }).code).toBe("internal");
  });
});

describe("a call", () => {
  it("says that it is made in the background, unless the user has just done something", async () => {
    const sent: unknown[] = [];
    vi.stubGlobal("fetch", async (_path: string, { headers }: RequestInit) => {
      sent.push(new Headers(headers).get("x-watchfloor-background"));
      return Response.json({});
    });
    for (const userActivation of [{ isActive: false }, { isActive: true }, undefined]) {
      vi.stubGlobal("navigator", { userActivation });
      await rest("GET /session");
    }
    expect(sent).toEqual(["1", null, null]);
  });

  it("is unavailable when its answer breaks off", async () => {
    const body = new ReadableStream({
      start(controller) {
        controller.enqueue(new TextEncoder().encode('{"user":'));
        controller.error(new TypeError("terminated"));
      },
    });
    vi.stubGlobal("fetch", async () => new Response(body));
    await expect(rest("GET /session")).rejects.toMatchObject({ code: "unavailable" });
    vi.stubGlobal("fetch", async () => new Response("<html>"));
    await expect(rest("GET /session")).rejects.toMatchObject({ code: "internal" });
  });

  it("asks for the path of its route, with its query and its body", async () => {
    const asked: unknown[] = [];
    vi.stubGlobal("fetch", async (path: string, { method, body }: RequestInit) => {
      asked.push([method, path, body]);
      return method === "DELETE" ? new Response(null, { status: 204 }) : Response.json({ id: "1" });
    });
    const params = { id: "a/b" };
    await rest("PATCH /wallboards/{id}", { params, query: { overwrite: true }, body: {} });
    expect(await rest("DELETE /wallboards/{id}", { params })).toBeUndefined();
    expect(asked).toEqual([
      ["PATCH", "/api/v1/wallboards/a%2Fb?overwrite=true", "{}"],
      ["DELETE", "/api/v1/wallboards/a%2Fb", null],
    ]);
  });

  it.each(["<html>", "null", "[]", ""])("answered by %j is internal", async (text) => {
    vi.stubGlobal("fetch", async () => new Response(text, { status: 200 }));
    await expect(rest("GET /session")).rejects.toMatchObject({ code: "internal" });
  });
});
