import { type ComponentProps, useMemo } from "react";
import { type Parser, Router, useRouter } from "wouter";
import { useBrowserLocation, useSearch } from "wouter/use-browser-location";

type Props = Pick<ComponentProps<typeof Router>, "children" | "ssrPath" | "ssrSearch">;

/**
 * The router of the page. wouter decodes a whole path or query by `decodeURI` before it reads it, so that the records
 * `a/b` and `a%2Fb` would have the same address, and every query would be decoded twice. Below this router a screen gets
 * paths and queries as they are in the address, still encoded, and each part of a path is decoded exactly once: when a
 * route matches. An address that is not encoded correctly matches only a route without
 * a path, or one with a wildcard, whose match may be several parts and stays encoded.
 */
export function AddressRouter(props: Props) {
  const { parser } = useRouter();
  const decodingParser = useMemo(() => decodeMatches(parser), [parser]);
  return (
    <Router
      hook={useEncodedLocation}
      searchHook={useEncodedSearch}
      parser={decodingParser}
      {...props}
    />
  );
}

/** A part of a path, decoded; null if it is not encoded correctly. */
export function decodePart(part: string): string | null {
  try {
    return decodeURIComponent(part);
  } catch {
    return null;
  }
}

/** Whether the path is that of a screen, or of one below it. */
export function isWithin(path: string, screen: string): boolean {
  return path === screen || path.startsWith(`${screen}/`);
}

const useEncodedLocation: typeof useBrowserLocation = (options) => {
  const [path, navigate] = useBrowserLocation(options);
  return [escapePercent(path), navigate];
};

const useEncodedSearch: typeof useSearch = (options) => escapePercent(useSearch(options));

/** What wouter's `decodeURI` makes the given text of. */
function escapePercent(text: string): string {
  return text.replaceAll("%", "%25");
}

function decodeMatches(parser: Parser): Parser {
  return (route, loose) => {
    const { pattern, keys } = parser(route, loose);
    const exec = (path: string) => {
      const match = pattern.exec(path);
      if (!match || !keys) return match;
      for (const [at, key] of keys.entries()) {
        // The first is the whole match, and an optional part may be absent.
        const part = match[at + 1];
        const decoded = part === undefined || key === "*" ? part : decodePart(part);
        if (decoded === null) return null;
        if (decoded !== undefined) match[at + 1] = decoded;
      }
      return match;
    };
    return { pattern: { exec }, ...(keys && { keys }) };
  };
}
