import type { LegalEntry } from "./legal-document.ts";

/** How long each kind of data is kept, as the software is delivered. */
export const privacyRetention: readonly LegalEntry[] = [
  {
    name: "Account",
    purpose: "Name, address, role, password hash, connections",
    kept: "until you delete it",
  },
  { name: "Registration", purpose: "One that was not confirmed", kept: "24 hours" },
  {
    name: "Session",
    purpose: "IP address, user agent, times",
    kept: "until sign-out, or 30 days after its last use",
  },
  { name: "Known device", purpose: "That a browser signed in to your account before", kept: "1 year" },
  {
    name: "Wrong passwords",
    purpose: "Their number for an address",
    kept: "until the next right one; 30 days where there is no account",
  },
  { name: "Contact message", purpose: "What you wrote, and from where", kept: "until we delete it" },
  { name: "Mail record", purpose: "Recipient, subject, whether it was sent", kept: "30 days" },
  {
    name: "Activity log",
    purpose: "What was done, e-mail address, IP address, user agent",
    kept: "for ever, or until we set a period or remove older entries; longer than the account",
  },
  {
    name: "Speed of pages",
    purpose: "Counts by page, if measured at all",
    kept: "10 days by the hour, 90 days by the day",
  },
  { name: "Suspicious request", purpose: "What the firewall keeps, if it is on", kept: "7 days" },
  { name: "Server log", purpose: "Requests with IP address", kept: "as long as the operator sets" },
];
