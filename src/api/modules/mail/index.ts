export { createMailQueue, mailSealing } from "./mail-queue.ts";
export { createMailWorker, type MailWorker } from "./mail-worker.ts";
export { findOldestWaiting } from "./queue-store.ts";
export {
  accountDeletedMail,
  addressTakenMail,
  newDeviceMail,
  passwordChangedMail,
  providerLinkedMail,
  providerUnlinkedMail,
  recoveryCodesRenewedMail,
  recoveryCodeUsedMail,
  resetPasswordMail,
  secondFactorEnabledMail,
  secondFactorRemovedMail,
  verificationMail,
} from "./templates/account-mails.ts";
export { contactMail } from "./templates/contact-mail.ts";
export { pluginMail, pluginQuarantinedMail, publisherReplacedMail } from "./templates/plugin-mails.ts";
