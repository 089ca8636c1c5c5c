export { startProviderSignIn } from "./provider-sign-in.ts";
export { findProvidersOfFactors, removeLink } from "./provider-store.ts";
export { warnOfOtherIssuers } from "./providers.ts";
export { register } from "./registration.ts";
export { issueSetupLink } from "./setup-admin.ts";
export { completeSignIn, login, type SignedIn } from "./sign-in.ts";
export { sweepExpired } from "./sweep-expired.ts";
