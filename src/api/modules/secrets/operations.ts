import { implement } from "#api/core/implement.ts";
import { secretsContract } from "./contract.ts";
import { planRotation, readSecrets, rotateSecrets } from "./rotate-secrets.ts";

/** What does the operations about the application's key. */
export const secretsOperations = implement("secrets", secretsContract, {
  status: readSecrets,
  rotate: { run: rotateSecrets, plan: planRotation },
});
