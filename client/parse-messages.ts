import { compileMessage } from "@lingui/message-utils/compileMessage";
import { type Plugin, parseAst } from "vite";

/**
 * Parses the interface texts while building, so that the browser needs no parser of ICU MessageFormat (7 kB). Each text
 * in a call of `defineMessages` is replaced by what `compileMessage` makes of it.
 */
export function parseMessages(): Plugin {
  return {
    name: "watchfloor:parse-messages",
    apply: "build",
    enforce: "pre",
    transform(code, id) {
      if (!/\/src\/messages\/en\/[\w-]+\.ts$/.test(id)) return null;
      return { code: withParsedTexts(code), map: null };
    },
  };
}

interface Node {
  type: string;
  start: number;
  end: number;
  value?: unknown;
}

/** The code of a catalogue with every text in its parsed form. */
export function withParsedTexts(code: string): string {
  const texts: Node[] = [];
  const visit = (node: unknown) => {
    if (Array.isArray(node)) for (const one of node) visit(one);
    else if (node !== null && typeof node === "object") {
      const { type, value } = node as Node;
      if (type === "Property" && isText(value)) texts.push(value);
      else for (const child of Object.values(node)) visit(child);
    }
  };
  visit(parseAst(code, { lang: "ts" }).body);
  let parsed = code;
  for (const { start, end, value } of texts.reverse()) {
    const message = JSON.stringify(compileMessage(String(value)));
    parsed = parsed.slice(0, start) + message + parsed.slice(end);
  }
  return parsed;
}

function isText(node: unknown): node is Node {
  const { type, value } = node as Node;
  return type === "Literal" && typeof value === "string";
}
