export { issueSetupLink } from "./issue-setup-link.ts";
export { login } from "./login.ts";
export { register } from "./register.ts";
export { startProviderSignIn } from "./start-provider-sign-in.ts";
export { sweepExpired } from "./sweep-expired.ts";
export { warnOfOtherIssuers } from "./warn-of-other-issuers.ts";
