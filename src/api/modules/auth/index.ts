export { issueSetupLink } from "./issue-setup-link.ts";
export { login } from "./login.ts";
export { register } from "./register.ts";
export { authRoutes } from "./routes.ts";
export { findSession, type StoredSession, touchSession } from "./store.ts";
export { sweepExpired } from "./sweep-expired.ts";
