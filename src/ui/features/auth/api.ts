import type {
  LoginInput,
  MessageAnswer,
  RegisterInput,
  ResendInput,
  ResetAnswer,
  ResetPasswordInput,
  SetupInput,
  UserAnswer,
  VerifiedAnswer,
  VerifyInput,
} from "#api/modules/auth/model.ts";
import type { User } from "#contract/users.ts";
import { ApiError, api } from "#ui/lib/api.ts";

// What sets a cookie is no operation of the typed client: input and answer have the types of the server's schemas.

/** Signs in; resolves to the user. */
export const login = async (input: LoginInput): Promise<User> =>
  (await api.post<UserAnswer>("/api/auth/login", input)).user;

/** Registers; resolves to what to tell the person. Signs nobody in. */
export const register = async (input: RegisterInput): Promise<string> =>
  (await api.post<MessageAnswer>("/api/auth/register", input)).message;

/** Asks for a new verification mail; resolves to what to tell the person. */
export const resendVerification = async (email: string): Promise<string> => {
  const input: ResendInput = { email };
  return (await api.post<MessageAnswer>("/api/auth/resend-verification", input)).message;
};

/** Whose password it was, and the ways into the account that were removed. */
export type ResetDone = ResetAnswer["data"];

/** Uses up the token of a reset mail and sets the password. */
export const resetPassword = async ({
  token,
  ...input
}: ResetPasswordInput & { token: string }): Promise<ResetDone> => {
  const path = `/api/auth/reset-password/${encodeURIComponent(token)}`;
  return (await api.post<ResetAnswer>(path, input)).data;
};

/** An account that a verification link made; `resetToken` sets another password where this browser had registered. */
export type Verified = VerifiedAnswer["data"];

/**
 * Uses up the token of a verification mail, with the name and password that were chosen, if any; fails with
 * `PASSWORD_WANTED` where they have to be.
 */
export const verifyEmail = async (token: string, chosen: VerifyInput = {}): Promise<Verified> => {
  const path = `/api/auth/verify-email/${encodeURIComponent(token)}`;
  return (await api.post<VerifiedAnswer>(path, chosen)).data;
};

/** The address that a link proved, where `PASSWORD_WANTED` says that its account lacks the rest; `null` for other failures. */
export const addressToFinish = (error: unknown): string | null => {
  if (!(error instanceof ApiError) || error.code !== "PASSWORD_WANTED") return null;
  const { data } = error;
  const isTold = typeof data === "object" && data !== null && "email" in data;
  return isTold && typeof data.email === "string" ? data.email : "";
};

/** Creates the first administrator with the one-time link's token and signs in as it; resolves to the user. */
export const setUp = async (input: SetupInput): Promise<User> =>
  (await api.post<UserAnswer>("/api/auth/setup", input)).user;
