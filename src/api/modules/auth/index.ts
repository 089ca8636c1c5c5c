export { startProviderSignIn } from "./provider-sign-in.ts";
export { warnOfOtherIssuers } from "./providers.ts";
export { register } from "./registration.ts";
export { issueSetupLink } from "./setup-admin.ts";
export { login } from "./sign-in.ts";
export { sweepExpired } from "./sweep-expired.ts";
