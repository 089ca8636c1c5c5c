import type { Plugin } from "#contract/plugins.ts";
import type { Client } from "./client.ts";
import { withConsent } from "./consent.ts";
import type { Invocation } from "./invocation.ts";

/** Puts a kept version of a plugin in force, once somebody agreed to what it wants: see `withConsent`. */
export const activateVersion = (
  invocation: Invocation,
  { client, name, version }: { client: Client; name: string; version: string },
): Promise<Plugin> =>
  withConsent(invocation, name, (consent) =>
    client.call("POST /api/plugins/:name/versions/:version/activate", {
      params: { name, version },
      body: consent,
    }),
  );
