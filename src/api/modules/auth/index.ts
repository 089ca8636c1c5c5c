export { sweepExpired } from "./password-reset.ts";
export { startProviderSignIn } from "./provider-sign-in.ts";
export { findProvidersOfFactors, removeLink } from "./provider-store.ts";
export { warnOfOtherIssuers } from "./providers.ts";
export { issueSetupLink, register } from "./registration.ts";
export { completeSignIn, login, type SignedIn } from "./sign-in.ts";
