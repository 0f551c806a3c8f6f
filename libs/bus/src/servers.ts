/** What a list of server URLs says: where to dial, and as whom. */
export type Servers = { addresses: string[]; user?: string; password?: string; tls: boolean };

const USER_INFO = /^((?:[a-z]+:\/\/)?)([^/@]*)@/i;

/**
 * Reads server URLs separated by commas. A user and password in the first that has them count for all. Throws an Error
 * that says what is wrong with the list; never shows a password.
 */
export function parseServers(list: string): Servers {
  const urls = list
    .split(",")
    .map((url) => url.trim())
    .filter((url) => url !== "");
  if (urls.length === 0)
    throw new Error("No NATS server is given: expected a URL such as nats://127.0.0.1:4222.");
  for (const url of urls) {
    const scheme = /^([^:/]+):\/\//.exec(url)?.[1];
    if (scheme !== undefined && !["nats", "tls"].includes(scheme))
      throw new Error(`${withoutSecrets(url)} is not a NATS URL: it starts with neither nats:// nor tls://.`);
    const address = url.replace(USER_INFO, "$1");
    if (!URL.canParse(scheme === undefined ? `nats://${address}` : address))
      throw new Error(`${withoutSecrets(url)} is not a NATS URL: expected nats://host:port.`);
  }
  const info = urls.map((url) => USER_INFO.exec(url)?.[2]).find((found) => found !== undefined);
  const [user, ...password] = info?.split(":") ?? [];
  return {
    addresses: urls.map((url) => url.replace(USER_INFO, "$1")),
    tls: urls.some((url) => url.startsWith("tls://")),
    ...(user !== undefined && { user: decodeURIComponent(user) }),
    ...(password.length > 0 && { password: decodeURIComponent(password.join(":")) }),
  };
}

/** The same list, fit to be shown: without users and passwords. */
export function withoutSecrets(list: string): string {
  return list
    .split(",")
    .map((url) => url.trim().replace(USER_INFO, "$1"))
    .join(", ");
}
