import type { Plugin } from "#contract/plugins.ts";
import type { Client } from "./client.ts";
import { withConsent } from "./consent.ts";
import type { Invocation } from "./invocation.ts";
import { printable } from "./output.ts";
import { createProgress, duringStep } from "./progress.ts";

/** Puts a kept version of a plugin in force, once somebody agreed to what it wants: see `withConsent`. */
export const activateVersion = (
  invocation: Invocation,
  { client, name, version }: { client: Client; name: string; version: string },
): Promise<Plugin> => {
  const progress = createProgress(invocation.terminal);
  return withConsent(invocation, name, (consent) =>
    duringStep(progress, `putting version ${printable(version)} in force`, () =>
      client.call("POST /api/plugins/:name/versions/:version/activate", {
        params: { name, version },
        body: consent,
      }),
    ),
  );
};
