/** Where a provider of company accounts may be. Without schemas, because forms check it, too. */

const placeholders =
  /[{}]|%7b|%7d|^https:\/\/login\.microsoftonline\.(com|us)\/(common|organizations|consumers)(\/|$)/i;

const address = /^(https:\/\/[^/?#@\\]+|http:\/\/(localhost|127\.0\.0\.1|\[::1\])(:\d+)?)([/?#]|$)/;

/** Whether a provider may be reached at an address: over https, or on this machine. */
export function isProviderAddress(text: string): boolean {
  return address.test(text);
}

/** What is wrong with an issuer: the address by which a provider names itself in what it signs. */
export function issuerFault(issuer: string): "notHttps" | "placeholder" | "parts" | null {
  if (!isProviderAddress(issuer)) return "notHttps";
  if (placeholders.test(issuer)) return "placeholder";
  return /^[^?#@\\]*$/.test(issuer) ? null : "parts";
}
