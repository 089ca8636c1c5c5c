import type { ClientOf } from "#api/operations.ts";
import { placeCall } from "#contract/create-client.ts";
import { type AnyFeature, moduleOf } from "#contract/define-feature.ts";
import { ownCalls } from "#plugins/own-calls.ts";
import { sendPlaced } from "./client.ts";

type Declared = Pick<AnyFeature, "name" | "contract">;

const modules: { readonly [module: string]: { readonly [name: string]: string } } = ownCalls;

/**
 * The operations of a feature with the types of its contract: `featureClient<typeof notes>("notes")`. Throws as `api` does.
 * `addressOf` is where the browser gets the file that one answers.
 */
export const featureClient = <F extends Declared>(name: F["name"]) => {
  const module = moduleOf({ name });
  const lines = modules[module] ?? {};
  const place = (operation: string, input: object) =>
    placeCall(`${module}.${operation}`, lines[operation] ?? "", input);
  const client = Object.fromEntries(
    Object.keys(lines).map((operation) => [
      operation,
      (input: object = {}) => sendPlaced(place(operation, input)),
    ]),
  );
  return {
    client: typed<F>(client),
    addressOf: (operation: keyof F["contract"] & string, input: object): string =>
      place(operation, input).target,
  };
};

/** The table of calls was written from the contract that the type is made of: a test compares them. */
const typed = <F extends Declared>(client: object) => client as ClientOf<F["contract"]>;
