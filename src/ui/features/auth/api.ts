import type { User } from "#contract/users.ts";
import type { RemovedWay } from "#contract/ways-in.ts";
import { ApiError, api } from "#ui/lib/api.ts";

/** Signs in; resolves to the user. */
export const login = async (input: { email: string; password: string }): Promise<User> => {
  const { user } = await api.post<{ user: User }>("/api/auth/login", input);
  return user;
};

/** Registers; resolves to what to tell the person. Signs nobody in. */
export const register = async (input: { name: string; email: string; password: string }): Promise<string> => {
  const { message } = await api.post<{ message: string }>("/api/auth/register", input);
  return message;
};

/** Asks for a new verification mail; resolves to what to tell the person. */
export const resendVerification = async (email: string): Promise<string> => {
  const { message } = await api.post<{ message: string }>("/api/auth/resend-verification", { email });
  return message;
};

type ResetInput = { token: string; password: string; keep: string[] };
/** Whose password it was, and the ways into the account that were removed. */
export type ResetDone = { email: string; removed: RemovedWay[] };

/** Uses up the token of a reset mail and sets the password. */
export const resetPassword = async ({ token, ...body }: ResetInput): Promise<ResetDone> => {
  const path = `/api/auth/reset-password/${encodeURIComponent(token)}`;
  const { data } = await api.post<{ data: ResetDone }>(path, body);
  return data;
};

/** An account that a verification link made; `resetToken` sets another password where this browser had registered. */
export type Verified = { name: string; email: string; resetToken?: string };

/**
 * Uses up the token of a verification mail, with the name and password that were chosen, if any; fails with
 * `PASSWORD_WANTED` where they have to be.
 */
export const verifyEmail = async (
  token: string,
  chosen: { name?: string; password?: string } = {},
): Promise<Verified> => {
  const path = `/api/auth/verify-email/${encodeURIComponent(token)}`;
  const { data } = await api.post<{ data: Verified }>(path, chosen);
  return data;
};

/** The address that a link proved, where `PASSWORD_WANTED` says that its account lacks the rest; `null` for other failures. */
export const addressToFinish = (error: unknown): string | null => {
  if (!(error instanceof ApiError) || error.code !== "PASSWORD_WANTED") return null;
  const { data } = error;
  const isTold = typeof data === "object" && data !== null && "email" in data;
  return isTold && typeof data.email === "string" ? data.email : "";
};

type SetupInput = { token: string; name: string; email: string; password: string };

/** Creates the first administrator with the one-time link's token and signs in as it; resolves to the user. */
export const setUp = async (input: SetupInput): Promise<User> => {
  const { user } = await api.post<{ user: User }>("/api/auth/setup", input);
  return user;
};
