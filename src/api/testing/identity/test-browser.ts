import type { TestHost } from "#api/testing/host.ts";
import type { User } from "#contract/users.ts";

/** A browser as far as cookies and redirects go. */
export type TestBrowser = {
  cookies: Map<string, string>;
  /** Opens a path of the host, as a link from another site would. */
  open(path: string): Promise<Response>;
  /** Opens a path that leads to a provider, and goes there; resolves to the path that the provider sends back to. */
  goToProvider(path: string): Promise<string>;
  /** Where the provider's answer leads to in the end. */
  signIn(path: string): Promise<string>;
  /** The signed-in user, or `null`. */
  user(): Promise<User | null>;
};

/** A browser without any cookie. */
export const createTestBrowser = (host: TestHost): TestBrowser => {
  const cookies = new Map<string, string>();

  const open: TestBrowser["open"] = async (path) => {
    const cookie = [...cookies].map(([name, value]) => `${name}=${value}`).join("; ");
    const response = await host.request(path, {
      headers: {
        "sec-fetch-site": "cross-site",
        "sec-fetch-mode": "navigate",
        ...(cookie ? { cookie } : {}),
      },
    });
    for (const line of response.headers.getSetCookie()) {
      const [pair = ""] = line.split(";");
      const at = pair.indexOf("=");
      const [name, value] = [pair.slice(0, at), pair.slice(at + 1)];
      if (value === "") cookies.delete(name);
      else cookies.set(name, value);
    }
    return response;
  };

  const goToProvider: TestBrowser["goToProvider"] = async (path) => {
    const there = locationOf(await open(path));
    if (there.startsWith("/")) return there;
    return visitProvider(host, there);
  };

  return {
    cookies,
    open,
    goToProvider,
    signIn: async (path) => {
      const back = await goToProvider(path);
      return back.startsWith("/api/") ? locationOf(await open(back)) : back;
    },
    user: async () => {
      const response = await open("/api/auth/user");
      return response.status === 200 ? asUser(await response.json()) : null;
    },
  };
};

/** Goes to a provider's address; resolves to the path of the host that it sends back to. */
export const visitProvider = async (host: TestHost, url: string): Promise<string> => {
  const answer = await fetch(url, { redirect: "manual", keepalive: false });
  const back = new URL(locationOf(answer));
  if (back.origin !== host.services.appUrl) throw new Error(`the provider sends to ${back.origin}`);
  return back.pathname + back.search;
};

/** Where an answer leads to. Throws when it leads nowhere. */
export const locationOf = (response: Response): string => {
  const location = response.headers.get("location");
  if (response.status !== 302 || location === null) throw new Error(`no redirect but ${response.status}`);
  return location;
};

// The host checks its own answers against their schema.
const asUser = (body: unknown): User => body as User;
