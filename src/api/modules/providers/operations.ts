import { implement } from "#api/core/implement.ts";
import { providersContract } from "./contract.ts";
import { listProviders, removeProvider, setProvider, showProvider, testProvider } from "./providers.ts";

/** What does the operations on sign-in providers. */
export const providersOperations = implement("providers", providersContract, {
  list: listProviders,
  show: showProvider,
  set: setProvider,
  test: testProvider,
  remove: removeProvider,
});
