import { heldText } from "./held-answer.ts";
import { recordCall } from "./traffic-recorder.ts";

/** Someone who calls the API of a running server as a browser would, keeping its cookies. */
export type Person = {
  /** The session cookie as it is sent, `sid=…`; `null` without a session. */
  cookie: string | null;
  call(method: string, path: string, body?: unknown): Promise<Answer>;
};

type Answer = { status: number; body: Record<string, unknown>; headers: Headers };

/**
 * A person without a session at the server with this origin; `address` is where a proxy would say they call from, `at` the
 * one of several servers behind the origin that is called, past the proxy. In tests a call throws when its answer is not
 * what the API's document says.
 */
export const createPerson = (origin: string, address?: string, at: string = origin): Person => {
  const jar = new Map<string, string>();
  return {
    get cookie() {
      const session = jar.get("sid");
      return session === undefined ? null : `sid=${session}`;
    },
    set cookie(value) {
      if (value === null) jar.delete("sid");
      else jar.set("sid", value.slice("sid=".length));
    },
    call: async (method, path, body) => {
      const request = new Request(`${at}${path}`, {
        method,
        redirect: "manual",
        headers: {
          origin,
          "sec-fetch-site": "same-origin",
          ...(address === undefined ? {} : { "x-forwarded-for": address }),
          ...(jar.size > 0 ? { cookie: [...jar].map((pair) => pair.join("=")).join("; ") } : {}),
          ...(body === undefined ? {} : { "content-type": "application/json" }),
        },
        ...(body === undefined ? {} : { body: JSON.stringify(body) }),
        signal: AbortSignal.timeout(20_000),
      });
      await recordCall(request);
      const response = await fetch(request);
      for (const cookie of response.headers.getSetCookie()) keep(jar, cookie);
      const text = await heldText({ method, path }, response);
      return { status: response.status, body: asRecord(text), headers: response.headers };
    },
  };
};

const keep = (jar: Map<string, string>, cookie: string): void => {
  const [, name = "", value = ""] = /^([^=]+)=([^;]*)/.exec(cookie) ?? [];
  if (value === "") jar.delete(name);
  else jar.set(name, value);
};

const asRecord = (text: string): Record<string, unknown> => {
  try {
    return { ...JSON.parse(text) };
  } catch {
    // Pages and empty answers have no fields.
    return {};
  }
};
