export { createMailDesk } from "./mail-desk.ts";
export { createMailWorker, type MailWorker } from "./mail-worker.ts";
export { addressTakenMail } from "./templates/address-taken-mail.ts";
export { verificationMail } from "./templates/verification-mail.ts";
