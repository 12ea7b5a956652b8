import { parseAst } from "vite";

/** Attributes whose value users read. */
const readable =
  /^(label|title|placeholder|alt|lead|text|description|error|aria-label|aria-description|aria-roledescription)$/;
/** Not the pattern of a code, as in "xxxxxx-xxxxxx". */
const hasLetters = /^(?![x\d-]+$).*\p{L}{2}/su;
/** A sentence or a label of several words, and no key, class, path, relation of a link or selector of inputs. */
const isSentence = /^(?!input, |noopener )\p{Lu}?\p{L}*[\p{L}'’,]+ \p{L}+/u;

/** Imports and types. */
const skipped = new Set(["ImportDeclaration", "TSLiteralType"]);

interface Node {
  type: string;
  value?: unknown;
  name?: { name?: unknown };
  quasis?: { value: { cooked: string } }[];
}

/**
 * The texts of a component's source that users would read: in elements, in attributes that are shown, and
 * sentences.
 */
export function literalTexts(code: string): string[] {
  const found: string[] = [];
  const add = (text: unknown, pattern: RegExp) => {
    const trimmed = String(text).trim();
    if (pattern.test(trimmed)) found.push(trimmed);
  };
  const visit = (node: unknown, isShown: boolean): void => {
    if (Array.isArray(node)) for (const one of node) visit(one, isShown);
    if (node === null || typeof node !== "object" || Array.isArray(node)) return;
    const { type, value, name, quasis } = node as Node;
    if (skipped.has(type) || isError(node)) return;
    const pattern = isShown ? hasLetters : isSentence;
    if (type === "JSXText") add(value, hasLetters);
    else if (type === "Literal" && typeof value === "string") add(value, pattern);
    for (const quasi of (type === "TemplateLiteral" && quasis) || [])
      add(quasi.value.cooked, pattern);
    if (type === "Property") {
      const { key, value } = node as { key: { name?: unknown; value?: unknown }; value: unknown };
      visit(value, isShown && readable.test(String(key.name ?? key.value)));
      return;
    }
    for (const child of Object.values(node)) visit(child, shows(type, name, isShown));
  };
  visit(parseAst(code, { lang: "tsx" }).body, false);
  return found;
}

/** The words that a style sheet shows: they belong in the catalogue, from where `attr()` shows them. */
export function literalContents(css: string): string[] {
  return [...css.matchAll(/(?<![\w-])content:([^;}]*)/g)]
    .flatMap(([, value = ""]) => [...value.matchAll(/"([^"]*)"|'([^']*)'/g)])
    .map(([, double, single]) => double ?? single ?? "")
    .filter((text) => /\p{L}{2}/u.test(text));
}

/** Whether a node creates an `Error`, whose message is for developers; what users read is a `Refusal` or a text. */
function isError(node: object): boolean {
  const { type, callee } = node as { type: string; callee?: { name?: unknown } };
  return type === "NewExpression" && /Error$/.test(String(callee?.name));
}

/** Whether strings below a node are shown: yes in an element's content and in readable attributes, no in calls and others. */
function shows(type: string, name: Node["name"], isShown: boolean): boolean {
  if (type === "JSXAttribute") return readable.test(String(name?.name));
  if (type === "JSXElement" || type === "JSXFragment") return true;
  const isTest =
    type === "CallExpression" || type === "BinaryExpression" || type === "MemberExpression";
  return isTest ? false : isShown;
}
