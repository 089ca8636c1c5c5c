import { resolveEachAllowed } from "./resolve-address.ts";

/**
 * Whether a host may be called as far as its writing shows it: addresses are judged, and names that other programs read
 * as addresses. Nothing is looked up; what is behind a name is judged when it is called.
 */
export const isCallableHost = async (hostname: string): Promise<boolean> => {
  try {
    await resolveEachAllowed(hostname, async () => []);
    return true;
  } catch {
    // The resolver finds nothing and never fails: whatever is thrown is the refusal.
    return false;
  }
};
