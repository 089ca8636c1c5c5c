/** `#app/mail`: what emails of own features are made of. */
export { renderMail } from "#api/modules/mail/index.ts";
