export { createMailQueue, mailSealing } from "./mail-queue.ts";
export { createMailWorker, type MailWorker } from "./mail-worker.ts";
export { findOldestWaiting } from "./store.ts";
export {
  accountDeletedMail,
  accountOpenedMail,
  addressTakenMail,
  authenticatorRemovedMail,
  confirmationsFailedMail,
  invitationMail,
  newDeviceMail,
  passkeyAddedMail,
  passkeyRemovedMail,
  passkeySuspectMail,
  passwordBreachedMail,
  passwordChangedMail,
  providerLinkedMail,
  providerUnlinkedMail,
  recoveryCodesRenewedMail,
  recoveryCodeUsedMail,
  resetPasswordMail,
  roleChangedMail,
  secondFactorEnabledMail,
  secondFactorRemovedMail,
  verificationMail,
} from "./templates/account-mails.ts";
export { contactMail } from "./templates/contact-mail.ts";
export {
  addressWantedMail,
  confirmNewEmailMail,
  emailChangedMail,
  emailChangeMail,
} from "./templates/email-change-mails.ts";
export { fillMail, renderMail } from "./templates/layout.ts";
export { pluginMail, pluginQuarantinedMail, publisherReplacedMail } from "./templates/plugin-mails.ts";
