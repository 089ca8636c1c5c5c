import { implement } from "#api/core/implement.ts";
import type { IncomingRequest } from "#api/door/door.ts";
import { authTexts, linkUndoTexts } from "#contract/auth-texts.ts";
import { authContract } from "./contract.ts";
import { beginFactorLogin, beginPasskeyLogin, loginWithFactor, loginWithPasskey } from "./factor-sign-in.ts";
import { checkResetLink, forgotPassword, resetPassword } from "./password-reset.ts";
import { listProviders } from "./providers.ts";
import { checkSetupLink, register, resendVerification, setupAdmin, verifyEmail } from "./registration.ts";
import { currentUser, login, logout, type SignedIn } from "./sign-in.ts";
import { checkLinkUndo, undoLink } from "./undo-link.ts";

/** What does the operations of sign-in, and the cookies that each sets. */
export const authOperations = implement("auth", authContract, {
  user: async (ctx) => currentUser(ctx),
  register: async (ctx, input, { pending }) => {
    const { browserToken, ...answer } = await register(ctx, input);
    pending.set(browserToken);
    return answer;
  },
  verifyEmail: async (ctx, input, { pending }) => {
    const answer = await verifyEmail(ctx, { ...input, browserToken: pending.token });
    pending.clear();
    return answer;
  },
  finishVerification: async (ctx, input, { pending }) => {
    const answer = await verifyEmail(ctx, { ...input, browserToken: pending.token });
    pending.clear();
    return answer;
  },
  resendVerification: (ctx, input, { pending }) => {
    // The registration that is renewed lives for another day, and so does the cookie that names it.
    if (pending.token !== null) pending.set(pending.token);
    return resendVerification(ctx, { ...input, browserToken: pending.token });
  },
  forgotPassword,
  checkResetLink,
  resetPassword: async (ctx, input, { device }) => {
    const { deviceToken, ...answer } = await resetPassword(ctx, input);
    device.set(deviceToken);
    return answer;
  },
  login: async (ctx, input, { session, device, step }) => {
    const browser = {
      ...{ presentedToken: session.token, presentedDevice: device.token },
      keepStep: step.set,
    };
    const signedIn = await login(ctx, { ...input, ...browser });
    keepSignedIn({ session, device }, signedIn);
    return { message: authTexts.loggedIn, user: signedIn.user };
  },
  loginWithFactor: async (ctx, input, { session, device, step }) => {
    const browser = { sessionToken: session.token, deviceToken: device.token };
    const signedIn = await loginWithFactor(ctx, { ...input, browser, step: step.token });
    step.clear();
    keepSignedIn({ session, device }, signedIn);
    return { message: authTexts.loggedIn, user: signedIn.user };
  },
  beginFactor: (ctx, _, { device, step }) =>
    beginFactorLogin(ctx, { step: step.token, deviceToken: device.token }),
  beginPasskey: (ctx) => beginPasskeyLogin(ctx),
  loginWithPasskey: async (ctx, input, { session, device }) => {
    const browser = { sessionToken: session.token, deviceToken: device.token };
    const signedIn = await loginWithPasskey(ctx, { ...input, browser });
    keepSignedIn({ session, device }, signedIn);
    return { message: authTexts.loggedIn, user: signedIn.user };
  },
  logout: async (ctx, _, { session }) => {
    const answer = await logout(ctx);
    session.clear();
    return answer;
  },
  setup: async (ctx, input, { session, device }) => {
    const browser = { sessionToken: session.token, deviceToken: device.token };
    const signedIn = await setupAdmin(ctx, { ...input, browser });
    keepSignedIn({ session, device }, signedIn);
    return { message: authTexts.setupDone, user: signedIn.user };
  },
  checkSetupLink,
  providers: listProviders,
  checkLinkUndo,
  undoLink: async (ctx, input) => ({ message: linkUndoTexts.done, data: await undoLink(ctx, input) }),
});

/** Gives the browser its cookies. */
const keepSignedIn = (
  { session, device }: Pick<IncomingRequest, "session" | "device">,
  signedIn: SignedIn,
) => {
  session.set(signedIn.token, signedIn.lifeMs);
  if (signedIn.deviceToken !== null) device.set(signedIn.deviceToken);
};
