/** Somebody who calls the API of a running server as a browser would, keeping the session cookie. */
export type Person = {
  cookie: string | null;
  call(method: string, path: string, body?: unknown): Promise<Answer>;
};

export type Answer = { status: number; body: Record<string, unknown>; headers: Headers };

/** A person without a session at the server with this origin; `address` is where a proxy would say they call from. */
export const createPerson = (origin: string, address?: string): Person => {
  const person: Person = {
    cookie: null,
    call: async (method, path, body) => {
      const response = await fetch(`${origin}${path}`, {
        method,
        redirect: "manual",
        headers: {
          origin,
          "sec-fetch-site": "same-origin",
          ...(address === undefined ? {} : { "x-forwarded-for": address }),
          ...(person.cookie ? { cookie: person.cookie } : {}),
          ...(body === undefined ? {} : { "content-type": "application/json" }),
        },
        ...(body === undefined ? {} : { body: JSON.stringify(body) }),
        signal: AbortSignal.timeout(20_000),
      });
      const cookie = response.headers.get("set-cookie")?.split(";")[0];
      if (cookie) person.cookie = cookie.endsWith("=") ? null : cookie;
      const text = await response.text();
      return { status: response.status, body: asRecord(text), headers: response.headers };
    },
  };
  return person;
};

const asRecord = (text: string): Record<string, unknown> => {
  try {
    return { ...JSON.parse(text) };
  } catch {
    // Pages and empty answers have no fields.
    return {};
  }
};
