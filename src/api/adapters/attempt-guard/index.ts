export { createAttemptGuard } from "./attempt-guard.ts";
