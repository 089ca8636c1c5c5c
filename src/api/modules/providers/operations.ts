import { implement } from "#api/core/implement.ts";
import { removeProvider, setProvider } from "./change-providers.ts";
import { providersContract } from "./contract.ts";
import { listProviders, showProvider } from "./read-providers.ts";
import { testProvider } from "./test-provider.ts";

/** What does the operations on sign-in providers. */
export const providersOperations = implement("providers", providersContract, {
  list: listProviders,
  show: showProvider,
  set: setProvider,
  test: testProvider,
  remove: removeProvider,
});
