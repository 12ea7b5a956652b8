import { afterEach, describe, expect, it } from "vitest";
import { explain, quote } from "../../../shared/error-texts/explain.ts";
import { type ErrorBody, Refusal } from "../../../shared/protocol/errors.ts";
import { decorateTexts, loadTexts } from "./define-messages.ts";
import { errorText, explanationText } from "./error-text.ts";
import { pseudoText } from "./start-language.ts";

afterEach(() => {
  loadTexts("en", {});
  decorateTexts((text) => text);
});

const german = {
  "errors.record.incompleteFields": "Für „{transition}“ fehlt noch: {fields}.",
  "errors.record.reason": "ein Grund",
  "errors.value.length": "Höchstens {limit, plural, one {# Zeichen} other {# Zeichen}}.",
  "errors.forbidden": "Das dürfen Sie nicht.",
};

/** As a refusal arrives. */
const sent = (refusal: Refusal) =>
  Refusal.fromBody(JSON.parse(JSON.stringify(refusal.toBody())) as ErrorBody);

describe("errorText", () => {
  it("E10 words an error by its key and its values, with nested sentences, in another language", () => {
    const fields = ["Ursache", explain("record.reason")];
    const explanation = explain("record.incompleteFields", { transition: "Schließen", fields });
    const refusal = sent(new Refusal("transition_incomplete", {}, explanation));
    expect(errorText(refusal)).toBe("“Schließen” requires: Ursache, a reason.");
    loadTexts("de", german);
    expect(errorText(refusal)).toBe("Für „Schließen“ fehlt noch: Ursache, ein Grund.");
    expect(explanationText(explain("value.length", { limit: 500 }))).toBe("Höchstens 500 Zeichen.");
  });

  it("chooses the plural in English too", () => {
    expect(explanationText(explain("value.scale", { scale: 1 }))).toBe(
      "Enter at most 1 digit after the decimal point.",
    );
  });

  it("shows the sentence of a newer server whose key it does not know", () => {
    loadTexts("de", german);
    const detail = { messageKey: "value.unheard", messageValues: { limit: 3 } };
    const newer = Refusal.fromBody({ code: "forbidden", message: "Not on Sundays.", ...detail });
    expect(errorText(newer)).toBe("Not on Sundays.");
  });

  it("shows the text of the code where there is no explanation", () => {
    loadTexts("de", german);
    expect(errorText(sent(new Refusal("forbidden")))).toBe("Das dürfen Sie nicht.");
  });

  it("does not show what a schema says to programs", () => {
    const refusal = new Refusal("invalid_request", {}, quote("body.name: Too small."));
    expect(errorText(refusal)).toBe("The request is invalid.");
  });

  it("shows what the customer wrote as it is", () => {
    decorateTexts(pseudoText);
    expect(explanationText(quote("Ask Ana."))).toBe("Ask Ana.");
    expect(explanationText(explain("value.email"))).toBe(pseudoText("Enter an email address."));
  });
});
