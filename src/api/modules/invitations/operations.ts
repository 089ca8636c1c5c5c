import { implement } from "#api/core/implement.ts";
import { invitationTexts } from "#contract/auth-texts.ts";
import { invitationsContract } from "./contract.ts";
import {
  acceptInvitation,
  beginInvitedPasskey,
  checkInvitation,
  createInvitations,
  listInvitations,
  resendInvitation,
  withdrawInvitation,
} from "./invite.ts";

/** What does the operations of invitations. */
export const invitationsOperations = implement("invitations", invitationsContract, {
  list: listInvitations,
  create: async (ctx, input) => {
    const data = await createInvitations(ctx, input);
    return { message: invitationTexts.invited(data.results), data };
  },
  resend: async (ctx, input) => ({
    message: invitationTexts.resent,
    data: await resendInvitation(ctx, input),
  }),
  withdraw: async (ctx, input) => ({
    message: invitationTexts.withdrawn,
    data: await withdrawInvitation(ctx, input),
  }),
  check: checkInvitation,
  beginPasskey: beginInvitedPasskey,
  accept: async (ctx, input, { session, device }) => {
    const browser = { sessionToken: session.token, deviceToken: device.token };
    const { recoveryCodes, ...signedIn } = await acceptInvitation(ctx, { ...input, browser });
    session.set(signedIn.token, signedIn.lifeMs);
    if (signedIn.deviceToken !== null) device.set(signedIn.deviceToken);
    return { message: invitationTexts.accepted, user: signedIn.user, recoveryCodes };
  },
});
